// Configuration of one Worker in the runtime.

export interface WorkerService {
  readonly name: string;
  /** The bundled module. */
  readonly code: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags?: readonly string[];
  readonly bindings?: readonly WorkerBinding[];
  /** Durable Object classes with SQLite databases on disk. */
  readonly objects?: readonly string[];
  /** Whether objects leave the memory when they are idle, as in production. */
  readonly evictsObjects?: boolean;
  /** Whether it listens on a loopback port of its own. */
  readonly isPublic?: boolean;
}

export type WorkerBinding = { readonly name: string } & (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "objects"; readonly className: string }
  | { readonly type: "service"; readonly service: string }
  /** A D1 binding whose queries go to this service. */
  | { readonly type: "database"; readonly service: string }
  /** An R2 bucket whose requests go to this service. */
  | { readonly type: "bucket"; readonly service: string }
  /** A queue whose messages go to this service. */
  | { readonly type: "queue"; readonly service: string }
);
