import type { SettingPlace } from "../protocol/index.ts";
import type { Path } from "./reading/draft.ts";
import type { SettingsFinding, SettingsLayer } from "./types.ts";

/** Where a key stands. */
export function placeOfKey(layer: SettingsLayer, path: Path): SettingPlace {
  const position = layer.line(path);
  const { source, file } = layer;
  return { source, file, ...(position === undefined ? {} : { position }) };
}

/** A finding about a key of a layer. */
export function findingAt(
  layer: SettingsLayer,
  path: Path,
  finding: Pick<SettingsFinding, "code" | "severity" | "message" | "fix">,
): SettingsFinding {
  const { source, file, position } = placeOfKey(layer, path);
  return {
    ...finding,
    source,
    file: file ?? layer.file,
    ...(position === undefined ? {} : { line: position }),
    key: path.join("."),
  };
}
