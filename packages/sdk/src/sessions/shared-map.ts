/** The map with this entry. An empty one is shared by many states: the first entry makes another. */
export function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return (map.size === 0 ? new Map<string, V>() : (map as Map<string, V>)).set(key, value);
}

/** The map without it; `none` where nothing is left. */
export function withoutEntry<V>(
  map: ReadonlyMap<string, V>,
  key: string,
  none: ReadonlyMap<string, V>,
): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  (map as Map<string, V>).delete(key);
  return map.size === 0 ? none : map;
}
