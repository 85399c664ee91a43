/**
 * Lines for tests: marker commands put together in every way the shell joins commands. Seeded, so that a
 * failing line can be made again.
 */
export interface LineGenerator {
  /** A line of about `size` pieces. */
  line(size: number): string;
  /** Such a line with a few characters taken out, doubled, changed or put elsewhere. */
  broken(size: number): string;
}

export function createLineGenerator(seed: number): LineGenerator {
  let state = seed >>> 0 || 1;
  const next = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  const pick = <T>(list: readonly [T, ...T[]]): T => list[next(list.length)] ?? list[0];
  let document = 0;
  const nextDocument = (): number => {
    document += 1;
    return document;
  };

  const name = (): string => pick(["m1", "m2", "m3", "m4"]);
  const spelledName = (): string => {
    const plain = name();
    return pick([
      plain,
      plain,
      plain,
      `"${plain}"`,
      `'${plain}'`,
      `\\${plain}`,
      `${plain[0]}\\\n${plain[1]}`,
      `$'${plain}'`,
      `m""${plain[1]}`,
      `$'\\x6d'${plain[1]}`,
      `"m"'${plain[1]}'`,
    ]);
  };
  const word = (depth: number): string =>
    pick([
      () => pick(["a", "b c", "-x", "1", "k=v"]).replace(" ", "\\ "),
      () => `'${pick(["a b", "; m1", "$(m2)", "#", "\\"])}'`,
      () => `"${pick(["a b", "; m1", "\\$(m2)", "#", "\\\\"])}"`,
      () => (depth > 0 ? `$(${list(depth - 1)})` : "d"),
      () => (depth > 0 ? `"$(${list(depth - 1)})"` : "e"),
      () => (depth > 0 ? `\`${command(0)}\`` : "f"),
      () => (depth > 0 ? `<(${list(depth - 1)})` : "g"),
      () => (depth > 0 ? `\${v${pick([":-", "-", ":=", ":+", "+", "="])}$(${command(0)})}` : "h"),
      () => pick(["{a,b}", "{1..3}", "{a,{b,c}}x", "{}", "{a", "a}", "{a,b}{c,d}"]),
      () =>
        pick([
          "$v",
          '"$v"',
          `${"$"}{v}`,
          "$?",
          "$#",
          "~",
          "~/x",
          "$'a\\tb'",
          '$"x"',
          "a#b",
          "!",
          "^",
          "%",
          "@",
          "+",
        ]),
      () => (depth > 0 ? `"\${v:-${pick(["'", "$'", ""])}$(${command(0)})${pick(["'", ""])}}"` : "i"),
      () => (depth > 0 ? `\${v${pick(["/", "//", "#", "%%", "^"])}$(${command(0)} a/b)/b}` : "j"),
      () => pick(["$((1+2))", "$((  3 ))", "$[1]"]),
      () => (depth > 0 ? `$(( $(${command(0)}; echo 1) + 1 ))` : "5"),
    ])();
  const redirect = (depth: number): string =>
    pick([
      () =>
        pick([
          "> out",
          ">> out",
          "2>&1",
          "> /dev/null",
          "&> out",
          ">| out",
          "< /dev/null",
          "2> err",
          "<<< x",
          "3>&1",
          "<&-",
        ]),
      () => (depth > 0 ? `<<< "$(${command(0)})"` : "<<< y"),
      () => (depth > 0 ? `> >(${command(0)})` : "> out2"),
    ])();
  const command = (depth: number): string => {
    const parts = [pick(["", "", "", "v=1 ", "v=$(m3) ", `v=x w="y z" `]) + spelledName()];
    for (let count = next(3); count > 0; count -= 1) parts.push(word(depth));
    if (next(4) === 0) parts.push(redirect(depth));
    return parts.join(pick([" ", " ", "  ", "\t", " \\\n "]));
  };
  /** A program of the tables: some are markers, the others run for real and touch nothing but the folder of the run. */
  const known = (depth: number): string => {
    const end = depth > 0 ? word(depth - 1) : "z";
    return pick([
      () =>
        `docker ${pick(["", "-D ", "-H tcp://h ", "-DH h ", "--context=c ", "compose -f f "])}${pick(["push", "run -v .:/a", "ps"])} ${end}`,
      () =>
        `kubectl ${pick(["", "-n x ", "--context=c ", "rollout -n x "])}${pick(["delete", "restart", "apply -f f"])} ${end}`,
      () =>
        `npm ${pick(["", "--prefix d ", "-s ", "--unheard-of "])}${pick(["publish", "run -s test"])} ${end}`,
      () =>
        `aws ${pick(["", "--profile p ", "--prof p ", "s3 --region r "])}${pick(["rm", "cp file://a"])} ${end}`,
      () =>
        `git ${pick(["-C . ", "--no-pager ", "-c user.name=x ", ""])}${pick(["status", "log -1", "diff --stat"])}`,
      () => `jq -n --arg x ${end} .a`,
      () =>
        pick([
          "sort -u",
          "head -n 1",
          "wc -l",
          "uniq -c",
          "tr a b",
          "cut -c1",
          "cat -n",
          "tee out",
          "xxd",
          "od -c",
        ]),
      () =>
        `${pick(["install -d", "mkdir -p", "touch", "ls", "stat", "rm -f"])} ${pick(["a", "d/e", "'b c'"])}`,
      () => `openssl rand -out out ${pick(["1", "2"])}`,
      () => `find . -maxdepth 1 -name ${pick(["a", "'*'", '"z"'])}`,
    ])();
  };
  const carried = (depth: number): string => {
    const inner = `${name()} ${pick(["a", "b"])}`;
    return pick([
      () =>
        `${pick(["timeout 5", "nice", "nice -n 1", "nohup", "env", "env A=1", "command", "exec", "time", "time -p", "builtin command", "stdbuf -o0", "setsid -w"])} ${inner}`,
      () => `echo q | xargs ${inner}`,
      () => `echo q | xargs -I{} ${name()} {} z`,
      () =>
        `${pick(["sh", "bash", "bash -e"])} ${pick(["-c", "-ec"])} '${inner}${pick(["", "; m4 in", " && m3"])}'`,
      () => `eval ${pick([`'${inner}'`, inner, `"${inner}; m2"`])}`,
      () => `find . -maxdepth 0 -exec ${inner} {} ${pick(["\\;", "+", "';'"])}`,
      () => `bash <<'E${nextDocument()}'\n${list(0)}\nE${document}\n`,
      () => `trap '${inner}' EXIT`,
      () => `x=${name()}; $x a`,
      () => `echo '${inner}' | sh`,
      () => `${name()} <<E${nextDocument()}\n$(${command(Math.min(depth, 0))}) text\nE${document}\n`,
      () => `alias zz='${inner}'; zz`,
      () =>
        `cat <<E${nextDocument()}\n\${v:-${pick(["'", "$'", '"', ""])}$(${command(0)})${pick(["'", '"', ""])}}\nE${document}\n`,
      () => `echo q | split --filter='${inner}'`,
      () => `echo q > q; tar cf /dev/null ${pick(["-I ", "--use-compress-program="])}'${inner}' q`,
      () => `rsync -e '${inner}' h:q q`,
      () => `sqlite3 :memory: '.${pick(["shell", "system"])} ${inner}'`,
      () => `ssh -o ${pick(["ProxyCommand=", "ProxyCommand\\ "])}'${inner}' h`,
      () => `cmake -E ${pick(["env", "env A=1", "time"])} ${inner}`,
      () => `git -C . ${pick(["ls-remote --upload-pack=", "clone -q -u "])}'${inner};' . c`,
      () => known(depth),
      () => `${known(depth)} | ${inner}`,
      () => `${inner} | ${known(depth)}`,
      () => `cat <<-\\E${nextDocument()} | ${name()}\n\t$(m1 never)\n\tE${document}\n`,
    ])();
  };
  const compound = (depth: number): string =>
    pick([
      () => `( ${list(depth - 1)} )`,
      () => `{ ${list(depth - 1)}; }`,
      () =>
        `if ${command(0)}; then ${list(depth - 1)}; ${pick(["", `elif ${command(0)}; then m1; `])}${pick(["", "else m2; "])}fi`,
      () => `for i in a b; do ${list(depth - 1)}; done`,
      () => `for i in ${word(depth - 1)}; do ${command(depth - 1)} "$i"; done`,
      () => `while ${command(0)}; do ${list(depth - 1)}; break; done`,
      () => `until ${command(0)}; do m3; break; done`,
      () => `case ${word(depth - 1)} in a|$(${command(0)})) ${command(0)};; *) ${list(depth - 1)};; esac`,
      () => `f() { ${list(depth - 1)}; }; f`,
      () => `function g { ${command(0)}; }; g a`,
      () => `[[ -n ${word(depth - 1)} && $(${command(0)}) != x ]]`,
      () => `[ -n "$(${command(0)})" ]`,
      () => `for ((i=0;i<2;i++)); do ${command(0)}; done`,
      () => `((1)) && ${command(0)}`,
      () => `v=(a $(${command(0)}))`,
      () => `coproc ${command(0)}; wait`,
    ])();
  const list = (depth: number): string => {
    let text = element(depth);
    for (let count = next(3); count > 0; count -= 1)
      text +=
        pick([" && ", " || ", "; ", " | ", "\n", "&&", ";", " |& ", " &\n", "|", " # m1 note\n"]) +
        element(depth);
    return text;
  };
  const element = (depth: number): string =>
    pick([
      () => command(depth),
      () => command(depth),
      () => (depth > 0 ? compound(depth) : command(0)),
      () => (depth > 0 ? carried(depth) : command(0)),
      () => `! ${command(0)}`,
    ])();
  const broken = (size: number): string => {
    const characters = [...list(size)];
    for (let count = 1 + next(3); count > 0; count -= 1) {
      const at = next(characters.length);
      const [taken = ""] = characters.splice(at, 1);
      const extra = pick([
        "",
        taken + taken,
        "'",
        '"',
        "`",
        "(",
        ")",
        "{",
        "}",
        "$",
        ";",
        "&",
        "|",
        "\n",
        "\\",
        "<",
        "#",
        " ",
      ]);
      characters.splice(next(2) === 0 ? at : next(characters.length + 1), 0, ...extra);
    }
    return characters.join("");
  };
  return { line: (size) => list(size), broken };
}
