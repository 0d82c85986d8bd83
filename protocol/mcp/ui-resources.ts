// MCP Apps (extension `io.modelcontextprotocol/ui`): pages of a server's own that show a tool's result.

export const UI_EXTENSION = "io.modelcontextprotocol/ui";
/** The media type of the extension's pages. */
export const UI_MEDIA_TYPE = "text/html;profile=mcp-app";

/** @param limit Characters that an address may have. */
export function isUiAddress(text: unknown, limit: number): text is string {
  return (
    typeof text === "string" &&
    text.length <= limit &&
    /^ui:\/\/[\x21-\x7e\u00a0-\uffff]+$/.test(text)
  );
}

/** Whether it names pages of the extension, whatever its case and spaces. */
export function isUiMediaType(mediaType: string): boolean {
  return (
    mediaType
      .toLowerCase()
      .replaceAll(/[\s"]/g, "")
      .replace(/;charset=utf-8/, "") === UI_MEDIA_TYPE
  );
}
