// The parsed form of a command line. Types only.

export interface CommandWord {
  /** The word without quotes and escapes; the values of expansions are missing. */
  readonly text: string;
  /** Part of it is known only at run time: a variable, a substitution, braces. */
  readonly isUnknown: boolean;
  /** The word has an unquoted `*`, `?` or `[`. */
  readonly hasWildcard: boolean;
}

export interface Redirect {
  readonly operator: string;
  readonly target: CommandWord;
}

/** One simple command: the text between two operators. */
export interface CommandPart {
  readonly words: readonly CommandWord[];
  readonly redirects: readonly Redirect[];
  /** The source text; empty when another command is nested in it. */
  readonly source: string;
  /** Whether it reads the output of the part before it. */
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
  /** In the order in which they end, including those of substitutions and subshells. */
  readonly parts: readonly CommandPart[];
  readonly constructs: ReadonlySet<Construct>;
  /** False when the command could not be parsed with certainty; rules then decide strictly. */
  readonly isReadable: boolean;
}
