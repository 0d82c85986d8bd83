// The path of a value inside the checked value. It is written out only when a problem is reported.

/** Null is the root value. */
export type Place = { readonly parent: Place; readonly step: string | number } | null;

/** As a JSON pointer after `#`. */
export function pointerTo(place: Place): string {
  const steps: string[] = [];
  for (let at = place; at; at = at.parent) {
    steps.unshift(String(at.step).replaceAll("~", "~0").replaceAll("/", "~1"));
  }
  return ["#", ...steps].join("/");
}
