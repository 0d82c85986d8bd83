import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import type { Memory } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DialogEnd } from "../../components/forms/dialog-end.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { draftOf, MemoryFields, toWritten, type MemoryDraft } from "./memory-fields.tsx";

interface WriteMemoryProps {
  readonly storeId: string;
  readonly onWritten: () => void;
  readonly onClose: () => void;
}

/** A memory as the store has it after a write, and what the write has found there. */
interface Outcome {
  readonly memory: Memory;
  readonly words: string;
}

/** A new memory, and what the store has made of it: it may be one that was there, or take the place of one. */
export function WriteMemory({ storeId, onWritten, onClose }: WriteMemoryProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<MemoryDraft>(() => draftOf(null));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (outcome) {
    const { memory, words } = outcome;
    return (
      <div className="form-stack">
        <p role="status" className="notice" data-tone="good">
          {words}
        </p>
        <blockquote className="plain-text memory-text">{memory.content}</blockquote>
        <p>
          <Link
            to="/memory/$storeId/$memoryId"
            params={{ storeId, memoryId: memory.id }}
            onClick={onClose}
          >
            See this memory
          </Link>
        </p>
        <DialogEnd onClose={onClose} />
      </div>
    );
  }
  return (
    <DialogForm
      action="Write"
      onCancel={onClose}
      onSubmit={async () => {
        const written = toWritten(draft);
        const memory = await reprise.memoryStores.memories(storeId).create(written);
        void queries.resetQueries({ queryKey: ["memories", storeId] });
        queries.removeQueries({ queryKey: ["memory-versions", storeId] });
        onWritten();
        setOutcome({ memory, words: wordsOf(memory, written.content) });
      }}
    >
      <MemoryFields draft={draft} onChange={setDraft} />
      <p className="quiet">
        A memory that says the same is not written again; one that says otherwise gets a new
        version.
      </p>
    </DialogForm>
  );
}

function wordsOf({ content, version, supersedes }: Memory, written: string): string {
  if (content !== written) return "The store says this already:";
  return supersedes === null
    ? "It is remembered:"
    : `It takes the place of what was there, as version ${version}:`;
}
