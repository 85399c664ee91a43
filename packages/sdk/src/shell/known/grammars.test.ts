import { describe, expect, it } from "vitest";
import { analyseFresh } from "../analyse.ts";
import { SUB_COMMAND_PROGRAMS } from "../sub-command.ts";
import { GRAMMARS } from "./global-options.ts";

/** A line, and a text that a deny or ask rule may be written with. */
const CASES: readonly (readonly [line: string, form: string])[] = [
  ["git -C x push", "git push"],
  ["git -c a.b=c --no-pager push", "git push"],
  ["git -p --git-dir=x --work-tree x push", "git push"],
  ["git --unheard-of push", "git push"],
  ["git --unheard-of x push", "git push"],
  ["git stash -q drop", "git stash drop"],
  ["git -C x remote -v remove y", "git remote remove y"],
  ["docker -H tcp://x push y", "docker push y"],
  ["docker -DH tcp://x push y", "docker push y"],
  ["docker -Htcp://x push y", "docker push y"],
  ["docker --host=x --debug push y", "docker push y"],
  ["docker --context x compose -f f down", "docker compose down"],
  ["docker compose -pf down", "docker compose down"],
  ["docker compose --env-file e -p x down", "docker compose down"],
  ["nerdctl -n x rm y", "nerdctl rm y"],
  ["podman --log-level debug system --x prune", "podman system prune"],
  ["docker-compose -f f -p x down", "docker-compose down"],
  ["kubectl -n x delete pod y", "kubectl delete pod y"],
  ["kubectl --context=x -v 5 delete pod y", "kubectl delete pod y"],
  ["kubectl rollout -n x restart y", "kubectl rollout restart y"],
  ["kubectl create -n x secret -n x generic y", "kubectl create secret generic y"],
  ["helm --kube-context x -n y uninstall z", "helm uninstall z"],
  ["helm repo --debug remove x", "helm repo remove x"],
  ["npm --prefix d publish", "npm publish"],
  ["npm --unheard-of publish", "npm publish"],
  ["npm -w x run --silent test", "npm run test"],
  ["pnpm -C d --filter x publish", "pnpm publish"],
  ["pnpm -r run --parallel test", "pnpm run test"],
  ["yarn --cwd d publish", "yarn publish"],
  ["yarn workspace x publish", "yarn publish"],
  ["bun --cwd d run -b x", "bun run x"],
  ["npx -y -p x y", "npx y"],
  ["cargo +nightly -Z x --config y publish", "cargo publish"],
  ["rustup --verbose toolchain -q remove x", "rustup toolchain remove x"],
  ["go -C d generate", "go generate"],
  ["go mod -C d tidy", "go mod tidy"],
  ["aws --profile p s3 rm x", "aws s3 rm x"],
  ["aws --prof p s3 rm x", "aws s3 rm x"],
  ["aws s3 --region r rm x", "aws s3 rm x"],
  ["gcloud --project p compute --zone z instances delete x", "gcloud compute instances delete x"],
  ["az --subscription s vm -o json delete", "az vm delete"],
  ["gh -R a/b pr merge", "gh pr merge"],
  ["gh pr -R a/b merge 1", "gh pr merge 1"],
  ["glab mr -R a/b merge", "glab mr merge"],
  ["terraform -chdir=d destroy", "terraform destroy"],
  ["terraform -chdir d workspace -state s delete x", "terraform workspace delete x"],
  ["systemctl --user -t service stop x", "systemctl stop x"],
  ["systemctl -qH h stop x", "systemctl stop x"],
  ["apt -y -o a=b remove x", "apt remove x"],
  ["pip --proxy p uninstall x", "pip uninstall x"],
  ["uv --directory d pip -q uninstall x", "uv pip uninstall x"],
  ["poetry -C d publish", "poetry publish"],
  ["brew -v services -q stop x", "brew services stop x"],
  ["svn --username u commit", "svn commit"],
  ["hg -R d push", "hg push"],
  ["make -C d -j 4 install", "make install"],
  ["mvn -q -f p deploy", "mvn deploy"],
  ["gradle -p d publish", "gradle publish"],
  ["vercel --token t rm x", "vercel rm x"],
  ["heroku -a x destroy", "heroku destroy"],
  ["fly apps -a x destroy y", "fly apps destroy y"],
  ["sqlite3 -x db", "sqlite3 db"],
  ["7z -y x a", "7z x a"],
];

const forms = (line: string): readonly string[] => analyseFresh(line).commands[0]?.denyForms ?? [];

describe("options before and between the names of sub-commands", () => {
  it.each(CASES)("%s is %s", (line, form) => {
    expect(forms(line)).toContain(form);
    expect(analyseFresh(line).commands[0]?.allowForms).not.toContain(form);
  });

  it.each([
    ["docker --debug run push", "docker push"],
    ["docker -H push run", "docker push run"],
    ["git -C push status", "git push status"],
    ["npm run test -- publish", "npm publish"],
    ["git commit -m push", "git push"],
  ])("%s is not %s", (line, form) => {
    expect(forms(line)).not.toContain(form);
  });

  it.each(Object.keys(GRAMMARS))("%s: no form without its row", (names) => {
    const table = SUB_COMMAND_PROGRAMS as Map<string, unknown>;
    const all = names.split(" ");
    const lines = CASES.filter(([line]) => all.includes(line.split(" ", 1)[0] ?? ""));
    expect(lines.length).toBeGreaterThan(0);
    const kept = all.map((name) => [name, table.get(name)] as const);
    for (const name of all) table.delete(name);
    const found = lines.filter(([line, form]) => forms(line).includes(form));
    for (const [name, grammar] of kept) table.set(name, grammar);
    expect(found).toEqual([]);
  });
});
