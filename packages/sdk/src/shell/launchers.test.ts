import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { LAUNCHERS } from "./known/launchers.ts";
import { WRAPPERS } from "./known/wrappers.ts";

const opaqueCodes = (line: string): readonly string[] => analyseFresh(line).opaque.map(({ code }) => code);

// Each starts `rm x`, by whatever means.
const STARTS: readonly string[] = [
  "npx rm x",
  "npx --yes rm@1.2 x",
  "npx -p pkg rm x",
  "npx -c 'rm x'",
  "npx --call='rm x'",
  "npx @scope/rm@1 x",
  "pnpx rm x",
  "npm exec rm x",
  "npm exec -- rm x",
  "npm x rm x",
  "npm --prefix d exec rm x",
  "npm -w exec exec rm x",
  "pnpm dlx rm x",
  "pnpm -r exec rm x",
  "pnpm recursive exec rm x",
  "yarn dlx rm x",
  "yarn exec rm x",
  "yarn workspace a exec rm x",
  "bunx rm x",
  "bun x rm x",
  "corepack yarn dlx rm x",
  "lerna exec -- rm x",
  "uvx rm x",
  "uv run rm x",
  "uv run -- rm x",
  "uv run --with a --python 3.12 rm x",
  "uv --quiet run rm x",
  "uv tool run rm@2 x",
  "uv $x rm x",
  "pipx run rm x",
  "poetry run rm x",
  "pipenv run rm x",
  "rye run rm x",
  "pixi run rm x",
  "pdm run rm x",
  "hatch -e a run rm x",
  "conda run -n a rm x",
  "mamba run -n a --live-stream rm x",
  "micromamba run rm x",
  "bundle exec rm x",
  "asdf exec rm x",
  "rbenv exec rm x",
  "pyenv exec rm x",
  "nodenv exec rm x",
  "goenv exec rm x",
  "jenv exec rm x",
  "plenv exec rm x",
  "fnm exec --using 20 rm x",
  "nvm exec 20 rm x",
  "volta run --node 20 rm x",
  "rustup run nightly rm x",
  "mise exec -- rm x",
  "mise x node@20 -- rm x",
  "mise x node@20 rm x",
  "mise x -c 'rm x'",
  "aws-vault exec p -- rm x",
  "chamber exec s -- rm x",
  "op run -- rm x",
  "doppler run --command='rm x'",
  "infisical run -- rm x",
  "dotenvx run -- rm x",
  "nix develop -c rm x",
  "nix shell a --command rm x",
  "nix-shell -p a --run 'rm x'",
  "wsl rm x",
  "wsl -d a -e rm x",
  "screen rm x",
  "screen -dmS a rm x",
  "tmux new 'rm x'",
  "tmux new-session -d -s a rm x",
  "tmux neww rm x",
  "tmux split-w rm x",
  "fd -x rm x",
  "fd -e ts -X rm x",
  "fd a --exec rm x",
  "fd a --exec-batch=rm x",
  "fd -Hx rm x",
  "fd -xrm x",
  "fdfind a -x ls \\; -x rm x",
  "chronic rm x",
  "ifne -n rm x",
  "ssh-agent -t 5 rm x",
  "dumb-init -- rm x",
  "tini -s -- rm x",
  "eatmydata rm x",
  "faketime now rm x",
  "run0 -u bob rm x",
  "setuidgid bob rm x",
  "s6-setuidgid bob rm x",
  "setarch x86_64 -R rm x",
  "setarch -R rm x",
  "setarch --uname-2.6 rm x",
];

describe("a launcher", () => {
  it.each(STARTS)("shows what it starts: %s", (line) => {
    const { commands, opaque } = analyseFresh(line);
    expect(opaque).toEqual([]);
    const texts = commands.flatMap(({ denyForms }) => denyForms);
    const maybe = commands.flatMap(({ unknownForms }) => unknownForms.map(({ pieces }) => pieces[0] ?? ""));
    expect([...texts, ...maybe].some((text) => /^rm x(?: |$)/.test(text))).toBe(true);
  });

  it.each(STARTS)("touches what it starts touches: %s", (line) => {
    const { paths } = analyseFresh(line);
    // A scoped name and one with a version are packages: whose files they touch is not known.
    expect(paths.some(({ access, path }) => access === "remove" && path === "x")).toBe(true);
  });

  it.each([...LAUNCHERS.keys()].filter((name) => !/^(?:sops|start-stop-daemon)$/.test(name)))(
    "has a line for its row: %s",
    (name) => expect(STARTS.some((line) => new RegExp(`^(?:corepack )?${name} `).test(line))).toBe(true),
  );

  it.each(["sudo", "chronic", "ifne", "setarch", "run0"])("is apart from wrappers: %s", (name) => {
    expect(WRAPPERS.has(name)).toBe(true);
    expect(LAUNCHERS.has(name)).toBe(false);
  });

  it.each(["uv run timeout 5 ls", "npx env ls", "bundle exec nice timeout 5 ls"])(
    "passes nothing on to an allow rule for what it starts: %s",
    (line) => {
      const { commands } = analyseFresh(line);
      const [first, ...inner] = commands;
      expect(first?.readOnly).toBe(false);
      expect(first?.allowForms).toEqual([line]);
      expect(inner.length).toBeGreaterThan(0);
      for (const { transparentCarrier, allowForms } of inner) {
        expect(transparentCarrier).toBeUndefined();
        // A rule for the launcher covers the whole.
        expect(allowForms).toContain(line);
      }
    },
  );

  it.each([
    ["npm run build", "npm run build"],
    ["npm install exec", "npm install exec"],
    ["uv pip install x", "uv pip install x"],
    ["bundle install", "bundle install"],
    ["conda install run", "conda install run"],
    ["tmux ls", "tmux ls"],
    ["npx --version", "npx --version"],
    ["fd x", "fd x"],
    ["fd -e x -- -x rm", "fd -e x -- -x rm"],
    ["bun test", "bun test"],
  ])("starts nothing here: %s", (line, form) => {
    const { commands, opaque } = analyseFresh(line);
    expect(opaque).toEqual([]);
    expect(commands.map(({ denyForms }) => denyForms)).toEqual([[form]]);
  });

  it("does not take a word for a sub-command that cannot become one", () => {
    const forms = (line: string) => analyseFresh(line).commands[0]?.denyForms ?? [];
    expect(forms("npm r$n rm x")).not.toContain("rm x");
    expect(forms("npm e$n rm x")).toContain("rm x");
    expect(forms("npm -a r$n rm x")).toContain("rm x");
  });

  it.each([
    ["start-stop-daemon --start --exec /bin/rm -- x", "dynamic-script"],
    ["sops exec-env f 'rm x'", "dynamic-script"],
    ["bun exec 'rm x'", "dynamic-script"],
    ["pnpm -c exec 'rm x'", "dynamic-script"],
    ["pnpm dlx -c 'rm x'", "dynamic-script"],
    ["screen -S a -X stuff rm", "dynamic-script"],
    ["tmux send-keys 'rm x' Enter", "dynamic-script"],
    ["tmux send 'rm x' Enter", "dynamic-script"],
    ["tmux run 'rm x'", "dynamic-script"],
    ["tmux new -d ';' run 'rm x'", "dynamic-script"],
    ["tmux new -d\\; run 'rm x'", "dynamic-script"],
    ["tmux -c 'rm x'", "dynamic-script"],
    ["npx $x", "dynamic-command"],
    ["uv run $x", "dynamic-command"],
    ["conda run -n $e ls", "dynamic-command"],
    ["mise x -c $x", "dynamic-script"],
    ["cat f | uv run -", "fed-interpreter"],
  ])("is opaque where it is not read: %s", (line, code) => expect(opaqueCodes(line)).toContain(code));

  it("reads the script that it is given", () => {
    const read = (line: string) =>
      analyseFresh(line)
        .paths.filter(({ access }) => access === "read")
        .map(({ path }) => path);
    expect(read("uv run tools/a.py b")).toEqual(["tools/a.py"]);
    expect(read("uv run python tools/a.py")).toEqual(["tools/a.py"]);
    expect(read("bundle exec a.rb")).toEqual(["a.rb"]);
    expect(read("bundle exec rake")).toEqual([]);
  });

  it("counts what it starts among the commands of the line", () => {
    const line = Array.from({ length: 300 }, () => "npx a").join(";");
    expect(opaqueCodes(line)).toEqual(["too-many"]);
    expect(opaqueCodes(Array.from({ length: 200 }, () => "npx a").join(";"))).toEqual([]);
    expect(opaqueCodes(`${"npx ".repeat(14)}rm x`)).toEqual(["nesting"]);
  });
});
