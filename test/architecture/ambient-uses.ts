import ts from "typescript";

// Modules whose functions depend on nothing but their arguments.
const PURE_MODULES = new Set([
  "node:assert",
  "node:async_hooks",
  "node:buffer",
  "node:crypto",
  "node:events",
  "node:path",
  "node:path/posix",
  "node:path/win32",
  "node:querystring",
  "node:stream",
  "node:stream/web",
  "node:string_decoder",
  "node:url",
  "node:util",
]);

const AMBIENT_NAMES = new Set([
  "process",
  "console",
  "fetch",
  "performance",
  "navigator",
  "WebSocket",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
]);

const AMBIENT_MEMBERS = new Set([
  "Date.now",
  "Math.random",
  "AbortSignal.timeout",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);

// A file without one of these words needs no parsing.
const WORDS =
  /\b(process|console|fetch|performance|navigator|WebSocket|Date|random\w*|Abort\w*|crypto|node:|(set|clear)(Timeout|Interval|Immediate)|getRandomValues)/;

const RANDOM_IMPORTS = new Set([
  "randomUUID",
  "randomBytes",
  "randomInt",
  "getRandomValues",
  "randomFillSync",
]);

/**
 * The uses of clock, chance, environment, timers, files, processes and network in one file's text, each as
 * `line: what`. Types do not count, and neither do names that the file declares itself.
 */
export function ambientUses(text: string): string[] {
  if (!WORDS.test(text)) return [];
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  const own = declaredNames(file);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const what = useIn(node, own);
    if (what !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${line + 1}: ${what}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function useIn(node: ts.Node, own: ReadonlySet<string>): string | undefined {
  if (ts.isImportDeclaration(node)) return importUse(node);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments;
    return target !== undefined && ts.isStringLiteral(target) ? moduleUse(target.text) : undefined;
  }
  if (
    ts.isNewExpression(node) &&
    node.expression.getText() === "Date" &&
    (node.arguments?.length ?? 0) === 0
  ) {
    return "new Date()";
  }
  if (ts.isPropertyAccessExpression(node)) {
    const member = node.getText().replace(/^globalThis\./, "");
    return AMBIENT_MEMBERS.has(member) && !own.has(member.split(".")[0] ?? "") ? member : undefined;
  }
  if (ts.isIdentifier(node) && AMBIENT_NAMES.has(node.text) && isFreeUse(node) && !own.has(node.text)) {
    return node.text;
  }
  return undefined;
}

function importUse(node: ts.ImportDeclaration): string | undefined {
  const clause = node.importClause;
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return undefined;
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  const bindings = clause?.namedBindings;
  if (from === "node:crypto" && bindings !== undefined && ts.isNamedImports(bindings)) {
    const random = bindings.elements.map((element) => (element.propertyName ?? element.name).text);
    return random.find((name) => RANDOM_IMPORTS.has(name));
  }
  return moduleUse(from);
}

function moduleUse(name: string): string | undefined {
  return name.startsWith("node:") && !PURE_MODULES.has(name) ? name : undefined;
}

/** An identifier that stands for a value of its own: not a property's name, not a key. */
function isFreeUse(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) {
    return parent.expression === node || parent.expression.getText() === "globalThis";
  }
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) return parent.name !== node;
  if (ts.isPropertyDeclaration(parent) || ts.isPropertySignature(parent)) return parent.name !== node;
  return !ts.isBindingElement(parent) || parent.propertyName !== node;
}

function declaredNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = (node as { name?: ts.Node }).name;
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node);
    if (declares && name !== undefined && ts.isIdentifier(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
