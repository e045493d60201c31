/** Random Bash scripts for property tests: harmless by construction, their commands are names nobody has installed. */
import fc from "fast-check";

const plainWords = ["alpha", "beta", "-rf", "--force", "x.txt", "a b", "", "*.none", "it's", "$", "semi;colon", "~", "-", "--", "a=b", "{x}", "[y]", "#hash", "back\\slash", "tab\there"];
const names = ["probe_a", "probe_b", "probe_c", "./probe_d", "probe_e"];
const variables = ["V1", "V2", "V3"];

function quoteSingle(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

const quoting: fc.Arbitrary<(text: string) => string> = fc.constantFrom(
  quoteSingle,
  (text: string) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`,
  (text: string) => `$'${text.replace(/[\\']/g, "\\$&").replace(/\t/g, "\\t")}'`,
  (text: string) => (text === "" ? "''" : text.replace(/[^\w./-]/g, "\\$&")),
  (text: string) => `${quoteSingle(text.slice(0, 1))}"${text.slice(1).replace(/[\\"$`]/g, "\\$&")}"`,
);

const word: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...plainWords), quoting).map(([text, quote]) => quote(text)) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("$", '"$'), fc.constantFrom(...variables)).map(([open, name]) => (open === "$" ? `$${name}` : `"$${name}"`)) },
  { weight: 1, arbitrary: fc.constantFrom("{p,q}r", "{1..3}", "a{b,c}{d,e}", "{V,W}'x'", "\\{a,b}", "{a}", "x{,y}") },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...variables), fc.constantFrom(":-probe_z", "-q", ":+set", "%x", "#p", "/a/b", ":1:2", "^^", ",,", "//e/E")).map(([name, operation]) => `"\${${name}${operation}}"`) },
  { weight: 1, arbitrary: fc.constantFrom('"$@"', '"${A[@]}"', "${A[1]}", '"${A[*]}"', "$1", '"$2"') },
);

const argv = fc.tuple(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 2, arbitrary: fc.constantFrom(...variables).map((name) => `$${name}`) }), fc.array(word, { maxLength: 3 })).map(([name, words]) => [name, ...words].join(" "));

const assignment = fc.tuple(fc.constantFrom(...variables), fc.oneof(fc.constantFrom("probe_a", '"probe_b one"', "'probe_c  two   three'", "plain", '""', "$V1", '"$V2 x"', "$'a\\tb'"), word)).map(([name, value]) => `${name}=${value}`);

/** Scripts that end by themselves: every loop runs over a list, unknown commands fail. */
export const script: fc.Arbitrary<string> = fc.letrec<{ script: string; command: string }>((tie) => ({
  script: fc.array(fc.tuple(tie("command"), fc.constantFrom("; ", "\n", " && ", " || ", "\n\n")), { minLength: 1, maxLength: 4 }).map((parts) => parts.map(([command, end], index) => command + (index === parts.length - 1 ? "" : end)).join("")),
  command: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 8, arbitrary: argv },
    { weight: 4, arbitrary: assignment },
    { weight: 2, arbitrary: fc.tuple(assignment, argv).map(([set, run]) => `${set} ${run}`) },
    { weight: 1, arbitrary: fc.constantFrom("A=(one 'two words' probe_a)", "A+=(more)", "set -- probe_b 'p q' r", "shift", "export V1", "unset V2", "local_none=1", "V3+=_tail", "IFS=' '", "read V1 V2 <<< 'probe_c and rest'", "printf -v V2 '%s_%s' probe b") },
    { weight: 2, arbitrary: tie("script").map((inner) => `( ${inner} )`) },
    { weight: 2, arbitrary: tie("script").map((inner) => `{ ${inner}\n}`) },
    { weight: 2, arbitrary: fc.tuple(tie("script"), tie("script"), tie("script")).map(([first, second, third]) => `if ${first}\nthen ${second}\nelse ${third}\nfi`) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...variables), fc.array(word, { minLength: 1, maxLength: 3 }), tie("script")).map(([name, words, inner]) => `for ${name} in ${words.join(" ")}\ndo ${inner}\ndone`) },
    { weight: 1, arbitrary: fc.tuple(word, tie("script"), tie("script")).map(([subject, first, second]) => `case ${subject} in x*) ${first}\n;; *) ${second}\n;; esac`) },
    { weight: 1, arbitrary: fc.tuple(tie("script"), argv).map(([body, call]) => `fun() { ${body}\n}\nfun ${call.split(" ").slice(1).join(" ")}`) },
    { weight: 2, arbitrary: fc.tuple(argv, tie("script")).map(([run, inner]) => `${run} "$(${inner}\n)"`) },
    { weight: 1, arbitrary: fc.tuple(argv, argv).map(([run, inner]) => `${run} \`${inner.replace(/[\\`$]/g, "\\$&")}\`` ) },
    { weight: 1, arbitrary: tie("script").map((inner) => `eval ${quoteSingle(inner)}`) },
    { weight: 1, arbitrary: fc.tuple(argv, argv).map(([first, second]) => `${first} | ${second}`) },
    { weight: 1, arbitrary: fc.tuple(argv, tie("script")).map(([run, inner]) => `${run} <<E\nbody $(${inner}\n) $V1\nE\n:`) },
    { weight: 1, arbitrary: fc.tuple(argv, tie("script")).map(([run, inner]) => `${run} <<'E'\n${inner.replace(/^E$/gm, "")}\nE\n:`) },
    { weight: 1, arbitrary: argv.map((run) => `! ${run}`) },
    { weight: 1, arbitrary: fc.tuple(argv, tie("script")).map(([run, inner]) => `${run} < <(${inner}\n)`) },
    { weight: 1, arbitrary: tie("script").map((inner) => `[[ -n "$(${inner}\n)" ]]`) },
    { weight: 1, arbitrary: tie("script").map((inner) => `: $(( 1 + $(${inner}\n) 0 ))`) },
    { weight: 1, arbitrary: argv.map((run) => `${run} > /dev/null 2>&1`) },
    { weight: 1, arbitrary: argv.map((run) => `command ${run}`) },
  ),
})).script;
