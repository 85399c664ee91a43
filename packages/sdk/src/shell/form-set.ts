import { withOne } from "./with-one.ts";

/** Texts in the order they were added, none twice. Most commands have two or three, for which a Set is too much. */
export interface FormSet {
  list: readonly string[];
  seen: Set<string> | undefined;
}

const FEW = 8;

const NONE: readonly string[] = Object.freeze([]);

export function newFormSet(): FormSet {
  return { list: NONE, seen: undefined };
}

export function hasForm(forms: FormSet, text: string): boolean {
  return forms.seen === undefined ? forms.list.includes(text) : forms.seen.has(text);
}

export function addForm(forms: FormSet, text: string): void {
  if (hasForm(forms, text)) return;
  forms.list = withOne(forms.list, text);
  if (forms.seen !== undefined) forms.seen.add(text);
  else if (forms.list.length > FEW) forms.seen = new Set(forms.list);
}
