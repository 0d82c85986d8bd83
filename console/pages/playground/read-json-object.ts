type ReadObject =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** A JSON object that a person has typed, or what is wrong with it. */
export function readJsonObject(text: string): ReadObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { value: value as Readonly<Record<string, unknown>> };
    }
    return { problem: "This has to be a JSON object, in braces." };
  } catch (error) {
    return { problem: `This is no JSON: ${error instanceof Error ? error.message : "unreadable"}` };
  }
}
