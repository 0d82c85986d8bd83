// The interface through which the story uses the page, in a browser or without one.

export interface Shown {
  readonly state: "busy" | "asking" | "idle";
  /** Text of the newest answer; empty while there is none. */
  readonly answer: string;
  /** The confirmation requests, one text per card. */
  readonly approvals: readonly string[];
  /** The label's number; null before it is printed. */
  readonly label: string | null;
  /** The shared state as displayed. */
  readonly caseFile: string;
  readonly failure: string | null;
}

export interface Screen {
  read(): Promise<Shown>;
  /** The displayed connection states since the screen was opened. */
  connections(): Promise<readonly string[]>;
  /** The messages in AG-UI's client. */
  messages(): Promise<readonly { readonly id: string }[]>;
  ask(question: string): Promise<void>;
  approve(amount: string): Promise<void>;
  /** Reloads: only the platform's data remain. */
  reopen(): Promise<void>;
  /** Warnings of AG-UI's client. */
  warnings(): readonly string[];
  close(): Promise<void>;
}
