import { isJsonObject, put } from "../plain.ts";
import { mapSchemas } from "./subschemas.ts";

type Json = { [key: string]: unknown };

/** Brings the spellings of older drafts to draft 2020-12, wherever they stand. */
export function upgradeDrafts(schema: Json): Json {
  return mapSchemas(schema, upgradeNode) as Json;
}

function upgradeNode(node: Json): Json {
  if (Array.isArray(node.items)) upgradeTuple(node, node.items);
  delete node.additionalItems;
  if (isJsonObject(node.dependencies)) upgradeDependencies(node, node.dependencies);
  upgradeBound(node, "minimum", "exclusiveMinimum");
  upgradeBound(node, "maximum", "exclusiveMaximum");
  return node;
}

function upgradeTuple(node: Json, items: unknown[]): void {
  node.prefixItems = items;
  if (node.additionalItems === undefined) delete node.items;
  else node.items = mapSchemas(node.additionalItems, upgradeNode);
  if (items.length === 0) delete node.prefixItems;
}

function upgradeDependencies(node: Json, dependencies: Json): void {
  const required: Json = {};
  const schemas: Json = {};
  for (const [name, value] of Object.entries(dependencies)) {
    if (Array.isArray(value)) put(required, name, value);
    else put(schemas, name, mapSchemas(value, upgradeNode));
  }
  delete node.dependencies;
  if (Object.keys(required).length > 0) node.dependentRequired ??= required;
  if (Object.keys(schemas).length > 0) node.dependentSchemas ??= schemas;
}

// Draft 4 had the bound in `minimum` and a flag beside it.
function upgradeBound(node: Json, bound: string, exclusive: string): void {
  if (typeof node[exclusive] !== "boolean") return;
  if (node[exclusive] === true && typeof node[bound] === "number") {
    node[exclusive] = node[bound];
    delete node[bound];
  } else {
    delete node[exclusive];
  }
}
