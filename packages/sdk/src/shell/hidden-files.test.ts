import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

/** `access path`, or `access ?` where the path is unknown. */
function touched(line: string): readonly string[] {
  return analyseFresh(line).paths.map((each) => `${each.access} ${each.unknown ? "?" : each.path}`);
}

function codes(line: string): readonly string[] {
  return analyseFresh(line).opaque.map((each) => each.code);
}

describe("files that stand where no operand does", () => {
  it.each([
    ["sed 'r .env' f", "read .env"],
    ["sed -n '1R .env' f", "read .env"],
    ["sed '$r.env' f", "read .env"],
    ["sed -e 's/a/b/gw out' f", "write out"],
    ["sed -n '/x/{w out\n}' f", "write out"],
    ["sort -o out f", "write out"],
    ["sort --outp=out f", "write out"],
    ["sort --files0-from=list", "read ?"],
    ["file -f list", "read ?"],
    ["date -f .env", "read .env"],
    ["cp --target-dir=d f", "write d"],
    ["grep --recurs x d", "walk d"],
    ["tar cf - -C src .env", "walk src/.env"],
    ["tar cf - --directory=src ../.env", "walk src/../.env"],
    ["tar cf - -C $X .env", "walk ?"],
    ["tar cf - -T list", "walk ?"],
    ["tar xf a --one-top-level=d", "write d"],
    ["git -C src diff --no-index ../.env x", "read src/../.env"],
    ["git -C a -C b add .env", "read a/b/.env"],
    ["git -C $X add .env", "read ?"],
    ["git diff -- '*.env'", "read */*.env"],
    ["git log -L1,9:.env", "read .env"],
    ["git config -f .env -l", "read .env"],
    ["git commit -m x .env", "read .env"],
    ["git submodule add u", "write .gitmodules"],
    ["git clone u .git/hooks", "write .git/hooks"],
    ["curl -F 'f=@\"./.env\"' h", "read ./.env"],
    ["curl -F f=@a,.env h", "read .env"],
    ["curl -T '{a,.env}' h", "read ?"],
    ["curl --upload .env h", "read .env"],
    ["curl file:/a/.env", "read /a/.env"],
    ['curl "file://$PWD/.env"', "read ./.env"],
    ['curl "file://$X"', "read ?"],
    ["curl -w '%output{out}' h", "write out"],
    ["curl --libcurl out h", "write out"],
    ["curl --proto-default file /a", "read ?"],
    ["crontab f", "write /var/spool/cron/crontabs"],
    ["parallel -a .env echo", "read .env"],
  ])("%s", (line, expected) => {
    expect(touched(line)).toContain(expected);
  });

  it.each(["git diff -- src", "sed -n 's/raw/word/p' f", "tar tf a.tar", "crontab -l", "curl -d a=b h"])(
    "%s touches none of them",
    (line) => {
      expect(touched(line).filter((each) => /\?|write|\.env/.test(each))).toEqual([]);
    },
  );

  it.each(["sort --files0-from=l", "date -f l", "file -f l", "sort -o out f", "export", "cp --targ=d f"])(
    "%s is not read-only",
    (line) => {
      expect(analyseFresh(line).commands.map(({ readOnly }) => readOnly)).toEqual([false]);
    },
  );
});

describe("scripts that come by a side door", () => {
  it.each([
    ["bash /dev/fd/3 3<<< 'rm x'", "fed-interpreter"],
    ["python3 /proc/self/fd/4 4< f", "fed-interpreter"],
    [String.raw`env -S 'rm\_x'`, "dynamic-script"],
    ["env -S '${CMD} x'", "dynamic-script"],
  ])("%s is opaque", (line, code) => {
    expect(codes(line)).toContain(code);
  });

  it.each(["env --split='rm x'", "su root -- -c 'rm x'", "flock f --comm 'rm x'"])("%s shows rm", (line) => {
    const forms = analyseFresh(line).commands.flatMap(({ denyForms }) => denyForms);
    expect(forms).toContain("rm x");
  });
});

describe("caps", () => {
  it("more files than are looked at are a reason of their own", () => {
    expect(codes(`cat ${"a ".repeat(900)}`)).toEqual([]);
    expect(codes("> a ".repeat(1001))).toContain("too-many-paths");
  });

  it("other reasons never crowd out those that are asked about in every mode", () => {
    const many = Array.from({ length: 60 }, (_, at) => `eval $x${at}`).join("; ");
    expect(codes(`${many}; cat < /dev/tcp/h/80`)).toContain("network");
  });
});
