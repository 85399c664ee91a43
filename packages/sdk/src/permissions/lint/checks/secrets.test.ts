import { describe, expect, it } from "vitest";
import { lintRules } from "../lint.ts";
import { holdsSecret, withoutSecrets } from "./secrets.ts";

// Put together here, so that no scanner takes the test for a leak.
const KEY = ["ghp", "0123456789abcdefghijABCDEFGHIJ"].join("_");

describe("secrets in rules", () => {
  it.each([
    [`Bash(curl -H "Authorization: Bearer ${"abcdef0123456789"}" x)`],
    [`Bash(git clone https://me:${"hunter22"}@example.com/x)`],
    [`Bash(PGPASSWORD=${"hunter2222"} psql:*)`],
    [`Bash(gh auth login --token ${"abcdef123456"})`],
    [`Bash(echo ${["AKIA", "ABCDEFGHIJKLMNOP"].join("")})`],
    [`Bash(x ${["sk", "abcdefghijklmnopqrst"].join("-")})`],
    [`Bash(x ${KEY})`],
  ])("%s holds one", (text) => {
    expect(holdsSecret(text)).toBe(true);
    expect(withoutSecrets(text)).toContain("‹secret›");
  });

  it.each([
    ["Bash(TOKEN=$TOKEN deploy:*)"],
    ["Bash(curl --token $(cat token) x)"],
    ["Bash(git clone https://example.com:8080/x)"],
    ["Bash(git clone https://$USER:$PASS@example.com/x)"],
    ["Read(secrets/token.txt)"],
    ["Bash(npm login --password *)"],
    ["Bash(kubectl get secret my-secret)"],
  ])("%s holds none", (text) => {
    expect(holdsSecret(text)).toBe(false);
  });

  it("are never printed, whatever else is wrong with the rule", () => {
    const texts = [`Bash(x ${KEY} :*)`, `Bash(do ${KEY})`, `Bash(${KEY}`, `bash(${KEY})`, `Nope(${KEY})`];
    const rules = [...texts, "Bash(x:*)"].flatMap((text) =>
      (["deny", "allow"] as const).map((behavior) => ({ text, behavior, source: "session" as const })),
    );
    const findings = lintRules({ rules });
    expect(findings.filter(({ code }) => code === "secret-in-rule").length).toBeGreaterThan(5);
    expect(JSON.stringify(findings)).not.toContain(KEY);
  });

  it("stops at very long texts", () => {
    const long = `Bash(x ${KEY} ${"a".repeat(100_000)})`;
    expect(holdsSecret(long)).toBe(true);
    expect(withoutSecrets(long).length).toBeLessThan(9000);
  });
});
