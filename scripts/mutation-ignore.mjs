// Mutants that no test has to notice: another wording of an error. Only the literal itself, as an argument of
// `new …Error(…)` or as a value of its fields, is left alone. Codes and conditions are tried like everything else, and so
// are the messages of decisions: they are values, and people read them.

export const strykerPlugins = [
  { kind: "Ignore", name: "error-texts", value: { shouldIgnore: (path) => reasonToIgnore(path) } },
];

const TEXT_FIELDS = new Set(["fix", "cause", "subject"]);

function reasonToIgnore(path) {
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
  let holder = path.parentPath;
  if (holder?.isObjectProperty()) {
    if (!holder.get("key").isIdentifier() || !TEXT_FIELDS.has(holder.node.key.name)) return undefined;
    holder = holder.parentPath?.parentPath;
  }
  if (!holder?.isNewExpression() || !holder.get("callee").isIdentifier()) return undefined;
  const { name } = holder.node.callee;
  if (!name.endsWith("Error")) return undefined;
  // The first argument of ours is a code from the one table: it decides what callers do.
  if (name === "CastellanError" && path.key === 0 && path.listKey === "arguments") return undefined;
  return "the wording of an error";
}
