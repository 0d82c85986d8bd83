/** Scenarios that pass, by name: the checks that cannot, each with its reason. All others have to. */
export type Runs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Scenarios that do not apply. The reason is the text of docs/testing/mcp-conformance.md. */
export interface Excluded {
  readonly reason: string;
  readonly scenarios: readonly string[];
}
