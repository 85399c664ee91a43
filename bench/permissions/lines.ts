/** Command lines as coding agents write them, 40 to 200 characters, no two alike. Seeded: a run can be made again. */
export interface Lines {
  next(): string;
}

export function createLines(seed: number): Lines {
  let state = seed >>> 0 || 1;
  let count = 0;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? "";
  const name = (): string => `${pick(NAMES)}-${count}`;
  const file = (): string => `${pick(FOLDERS)}/${name()}.${pick(ENDINGS)}`;
  const text = (): string => `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)}`;

  const SHAPES: readonly (() => string)[] = [
    () => `cd ${pick(FOLDERS)} && npm run ${name()} -- --filter=${name()} 2>&1 | tail -${below(90) + 10}`,
    () => `git log --oneline -${below(40) + 1} --since="2 weeks ago" -- ${file()} ${file()}`,
    () => `grep -rn "${text()}" ${pick(FOLDERS)} --include="*.${pick(ENDINGS)}" | head -${below(50) + 1}`,
    () => `find ${pick(FOLDERS)} -name "${name()}*.${pick(ENDINGS)}" -not -path "*/node_modules/*" -type f`,
    () => `sed -n '${below(300)},${below(300) + 300}p' ${file()} && wc -l ${file()}`,
    () => `git add ${file()} ${file()} && git commit -m "${text()} in ${name()}"`,
    () => `npx vitest run ${file()} --reporter=dot --coverage.enabled=false 2>/dev/null`,
    () => `NODE_ENV=test node scripts/${name()}.mjs --input ${file()} --out dist/${name()}.json`,
    () => `python3 -m pytest tests/${name()} -k "${pick(WORDS)} and not ${pick(WORDS)}" -x -q`,
    () => `docker compose -f ${file()} up -d ${name()} && docker logs --tail ${below(200)} ${name()}`,
    () => `for f in ${file()} ${file()}; do echo "== $f"; head -${below(20) + 1} "$f"; done`,
    () =>
      `curl -sS -H "Accept: application/json" https://api.example.com/v1/${name()}/${name()} | jq '.items[0].${pick(WORDS)}'`,
    () => `mkdir -p build/${name()} && cp ${file()} build/${name()}.bak && rm -f ${file()}`,
    () => `cargo test --package ${name()} --lib ${pick(WORDS)}::${pick(WORDS)} -- --nocapture`,
    () => `cat ${file()} | sort | uniq -c | sort -rn | awk '{print $2}' > out/${name()}.txt`,
    () => `timeout ${below(60) + 1} bash -c 'cd ${pick(FOLDERS)} && make ${name()}' || echo "${text()}"`,
    () => `ls -la ${pick(FOLDERS)}/${name()} ${pick(FOLDERS)} && cat ${file()} | head -${below(90) + 1}`,
    () =>
      `git diff --stat HEAD~${below(9) + 1} -- ${pick(FOLDERS)} && git status --short --branch # ${name()}`,
    () => `gh pr list --search "${text()}" --json number,title --limit ${below(50) + 1} --label ${name()}`,
    () => `export LANG=C; kubectl -n ${name()} get pods -l app=${pick(WORDS)} -o wide | grep -v Running`,
    () => `test -f ${file()} && echo "found ${name()}" || { echo "${text()}" >&2; exit 1; }`,
    () => `echo "$(git rev-parse --short HEAD) ${name()}" && tsc --noEmit -p ${pick(FOLDERS)}/tsconfig.json`,
    () => `tar -czf backup/${name()}.tar.gz ${pick(FOLDERS)} ${file()} --exclude=${name()}`,
    () => `cd ${pick(FOLDERS)} && tool-${below(5) * 10 + 2} push --verbose ${name()} && echo "${text()}"`,
    () => `diff -u ${file()} secret-${below(5) * 10 + 5}/${name()}.key | head -${below(40) + 1}`,
    () => `rg --files ${pick(FOLDERS)} | xargs grep -l "${text()}" | sort -u | head -${below(40) + 1}`,
  ];

  return {
    next: () => {
      for (;;) {
        count += 1;
        const line = SHAPES[below(SHAPES.length)]?.() ?? "";
        if (line.length >= 40 && line.length <= 200) return line;
      }
    },
  };
}

const NAMES = "parser index router session billing user-store cache walk render config schema worker".split(
  " ",
);
const FOLDERS = "src src/server src/client/views packages/core/src tests docs ./lib app/models".split(" ");
const ENDINGS = "ts tsx js json py rs md yaml".split(" ");
const WORDS = "handler timeout import default token result stream error update value render pool".split(" ");
