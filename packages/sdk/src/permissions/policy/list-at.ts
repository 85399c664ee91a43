/** The list under a key, put there empty where none is. */
export function listAt<V>(map: Map<string, V[]>, key: string): V[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  map.set(key, list);
  return list;
}
