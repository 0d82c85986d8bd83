// What binds a confirmation to what was asked about.

/** `sha256:` and 64 hex digits, of the tool's name, a line feed and the input's text as it is stored. */
export async function hashInput(toolName: string, input: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${toolName}\n${input}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
