/**
 * A build plugin that writes characters outside ASCII as escapes. One such character in a file makes the engine keep all
 * of its text at two bytes a character. They stand in strings, templates and patterns alone, where an escape means the same;
 * a file that reads a template raw is left as it is.
 */
export function plainCharacters() {
  return {
    name: "plain-characters",
    // Not earlier: the printer of the build takes escapes back.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !chunk.fileName.endsWith(".js") || chunk.code.includes("String.raw"))
          continue;
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
      }
    },
  };
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
