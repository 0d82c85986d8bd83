// What the story does and sees, in a browser or without one.

export interface Shown {
  readonly state: "busy" | "asking" | "idle";
  /** Of the newest answer; empty while there is none. */
  readonly answer: string;
  /** What is asked, a text for each card. */
  readonly approvals: readonly string[];
  /** The label's number; null while none was printed. */
  readonly label: string | null;
  /** The shared state as it is shown. */
  readonly caseFile: string;
  readonly failure: string | null;
}

export interface Screen {
  read(): Promise<Shown>;
  /** How the connection was since the screen was opened, as far as it is shown. */
  connections(): Promise<readonly string[]>;
  /** What the protocol's client holds. */
  messages(): Promise<readonly { readonly id: string }[]>;
  ask(question: string): Promise<void>;
  approve(amount: string): Promise<void>;
  /** Opens everything again: nothing is left but what the platform has. */
  reopen(): Promise<void>;
  /** What the protocol's client complained about. */
  warnings(): readonly string[];
  close(): Promise<void>;
}
