// Where a value stands within the one that is checked, written out only when there is something to say of it.

/** Null is the whole value. */
export type Place = { readonly parent: Place; readonly step: string | number } | null;

/** As a JSON pointer after `#`. */
export function pointerTo(place: Place): string {
  const steps: string[] = [];
  for (let at = place; at; at = at.parent) {
    steps.unshift(String(at.step).replaceAll("~", "~0").replaceAll("/", "~1"));
  }
  return ["#", ...steps].join("/");
}
