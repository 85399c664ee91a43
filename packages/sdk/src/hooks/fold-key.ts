/** One spelling for `updated_input`, `UpdatedInput` and `updatedInput`. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, "");
}
