// The hash of a call's input. A confirmation carries it, so that it is valid for that input alone.

/** @returns `sha256:` and 64 hex digits: the hash of the tool's name, a line feed and the input's stored text. */
export async function hashInput(toolName: string, input: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${toolName}\n${input}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
