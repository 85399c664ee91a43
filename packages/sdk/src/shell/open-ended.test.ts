import { describe, expect, it } from "vitest";
import { openEnded } from "./open-ended.ts";

describe("openEnded", () => {
  it.each([
    ["bash", "shell"],
    ["bash -c", "shell"],
    ["/bin/sh -lc", "shell"],
    ["python3", "interpreter"],
    ["python3.12 -u", "interpreter"],
    ["node -e", "interpreter"],
    ["C:\\tools\\node.exe", "interpreter"],
    ["perl -e", "interpreter"],
    ["python -m", "interpreter"],
    ["find", "launcher"],
    ["find . -name", "launcher"],
    ["xargs", "launcher"],
    ["xargs -n 1 sh -c", "shell"],
    ["npx", "launcher"],
    ["make", "launcher"],
    ["source /dev/stdin", "launcher"],
    ["docker", "launcher"],
    ["docker exec", "launcher"],
    ["docker --context x run", "launcher"],
    ["docker compose exec", "launcher"],
    ["kubectl exec pod", "launcher"],
    ["npm exec", "launcher"],
    ["uv run", "launcher"],
    ["sudo", "wrapper"],
    ["time", "wrapper"],
    ["timeout 5", "wrapper"],
    ["timeout 5 bash", "shell"],
    ["env A=1 python", "interpreter"],
    ["env A=1", "wrapper"],
  ])("%s may run anything", (text, how) => {
    expect(openEnded(text.split(" "))).toBe(how);
  });

  it.each([
    ["git"],
    ["bash build.sh"],
    ["python3 tool.py"],
    ["python -m pytest"],
    ["python tool.py -c"],
    ["node --version"],
    ["npx tsc"],
    ["npm run"],
    ["npm"],
    ["npm exec tsc"],
    ["make build"],
    ["xargs cat"],
    ["docker ps"],
    ["docker --version"],
    ["docker compose config"],
    ["kubectl get"],
    ["uv run pytest"],
    ["sudo ls"],
    ["timeout 5 ls"],
    ["*"],
    ["constructor"],
    ["__proto__"],
    [""],
  ])("%s says what it runs", (text) => {
    expect(openEnded(text.split(" ").filter((word) => word !== ""))).toBeUndefined();
  });
});
