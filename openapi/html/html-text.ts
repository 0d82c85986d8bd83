// Converts text of the document to HTML. All text in the page is escaped here.

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The subset of Markdown in descriptions: paragraphs, code, bold and italic. */
export function textToHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineToHtml(paragraph)}</p>`)
    .join("\n");
}

/** The same, without paragraphs. */
export function inlineToHtml(text: string): string {
  // Odd pieces were between backticks.
  return escapeHtml(text)
    .split("`")
    .map((piece, index) =>
      index % 2 === 1
        ? `<code>${piece}</code>`
        : piece
            .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
            .replace(/\*(.+?)\*/g, "<em>$1</em>"),
    )
    .join("");
}

/** A table with one header row; cells are HTML, and the first cell of a row is its header. Empty without rows. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return "";
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("");
  const body = rows
    .map(([name = "", ...cells]) => {
      const rest = cells.map((cell) => `<td>${cell}</td>`).join("");
      return `<tr><th scope="row">${name}</th>${rest}</tr>`;
    })
    .join("\n");
  // A wide table scrolls by itself, instead of the page.
  return `<div class="wide"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
}
