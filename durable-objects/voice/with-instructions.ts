/** The agent's instructions, with those of a voice connection behind them. */
export function withInstructions(instructions: string, added: string | null): string {
  if (added === null || added === "") return instructions;
  return instructions === "" ? added : `${instructions}\n\n${added}`;
}
