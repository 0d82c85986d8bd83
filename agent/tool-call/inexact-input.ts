/** Told to a model whose input has a number of which JavaScript would read another one, for a tool that is JavaScript. */
export function inexactText(toolName: string, digits: string): string {
  const shown = digits.length <= 40 ? digits : `${digits.slice(0, 39)}…`;
  return `The input of ${toolName} has the number ${shown}, of which the tool would read another one. It was not run.`;
}
