// The port by which calls of http tools are let go. The session's object has its adapter.
import type { ToolCallRequest, ToolChunk } from "../../agent/ports.ts";
import type { LetGo } from "../../agent/tool-chunk.ts";
import type { TaskWaitsFor } from "../../protocol/background/events.ts";
import type { ToolAnswer } from "../answer-shape.ts";

/** A request that is open when its call is let go. */
export interface OpenRequest {
  /** Chunks of the tool so far. */
  readonly said: readonly ToolChunk[];
  /** The chunks from there on. Contract: never rejects, and ends soon after `stop`. */
  readonly rest: AsyncIterable<ToolChunk>;
  /** Whether the server has answered 202: the result will be posted. Known once `rest` has ended. */
  readonly isAccepted: () => boolean;
  readonly stop: () => void;
}

/** The call as it may be let go. */
export interface BackgroundCall {
  readonly task_id: string;
  /** The address to which its result may be posted; null where the platform's own address is not known. */
  readonly callback_url: string | null;
  /** Resolves with a result that is posted while the call is not let go. */
  readonly posted: Promise<ToolAnswer>;
  /** Whether it may be let go now, or why not. */
  letGo(waitsFor: TaskWaitsFor): { readonly ok: true; readonly letGo: LetGo } | Refused;
  /** The call was let go, and its result is in the log. @param open Its request, when that is what it waits for. */
  begin(open: OpenRequest | null): void;
  /** The call has ended without being let go. */
  close(): void;
}

interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export interface BackgroundCalls {
  /**
   * Makes the call known, so that its result may be posted. Resolves when that is on disk; the same for a call that is
   * made again.
   */
  open(request: ToolCallRequest, maxBytes: number): Promise<BackgroundCall>;
}
