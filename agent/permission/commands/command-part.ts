// What a command line is read into.

export interface CommandWord {
  /** Without its quotes and escapes; what expansions stand for is missing. */
  readonly text: string;
  /** Something in it is only known when it runs: a variable, a substitution, braces. */
  readonly isUnknown: boolean;
  /** It has an unquoted `*`, `?` or `[`. */
  readonly hasWildcard: boolean;
}

export interface Redirect {
  readonly operator: string;
  readonly target: CommandWord;
}

/** One simple command: what stands between two operators. */
export interface CommandPart {
  readonly words: readonly CommandWord[];
  readonly redirects: readonly Redirect[];
  /** As it was written; empty when something is nested in it. */
  readonly source: string;
  /** Whether it reads what the part before it writes. */
  readonly isPiped: boolean;
}

export type Construct =
  | "command_substitution"
  | "process_substitution"
  | "complex_expansion"
  | "simple_expansion"
  | "subshell"
  | "control_flow"
  | "function_definition"
  | "test_command";

export interface ReadCommand {
  /** In the order in which they end; those inside substitutions and subshells are among them. */
  readonly parts: readonly CommandPart[];
  readonly constructs: ReadonlySet<Construct>;
  /** False when it could not be read to its end with certainty; rules then decide strictly. */
  readonly isReadable: boolean;
}
