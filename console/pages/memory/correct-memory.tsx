import { useState } from "react";

import { ApiError, type Memory } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DiffText } from "../../components/diff/diff-text.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { draftOf, MemoryFields, toWritten } from "./memory-fields.tsx";

interface CorrectMemoryProps {
  readonly memory: Memory;
  readonly onCorrected: (memory: Memory) => void;
  readonly onClose: () => void;
}

/** A correction, which is written over the version that the person has seen and over no other one. */
export function CorrectMemory({ memory, onCorrected, onClose }: CorrectMemoryProps) {
  const reprise = useReprise();
  const [draft, setDraft] = useState(() => draftOf(memory));
  // The version that is written over: the one that the form began with, or another's that the person was shown since.
  const [base, setBase] = useState(memory);
  const isOvertaken = base.version !== memory.version;

  async function save(): Promise<void> {
    const { content, path } = toWritten(draft);
    const change = {
      ...(content !== base.content && { content }),
      ...(path !== base.path && { path }),
    };
    if (Object.keys(change).length === 0) {
      throw new Error(
        isOvertaken
          ? "That is what it says now: there is nothing to save."
          : "Nothing was changed.",
      );
    }
    const memories = reprise.memoryStores.memories(memory.store_id);
    try {
      onCorrected(await memories.update(memory.id, change, { ifVersion: base.version }));
      onClose();
    } catch (error) {
      if (!ApiError.isInstance(error) || error.code !== "version_mismatch") throw error;
      const newer = await memories.get(memory.id);
      setBase(newer);
      throw new Error(
        `It was changed meanwhile: version ${newer.version} is above. Nothing of yours was saved.`,
        { cause: error },
      );
    }
  }

  return (
    <DialogForm
      action={isOvertaken ? `Write over version ${base.version}` : "Save"}
      onCancel={onClose}
      onSubmit={save}
    >
      {isOvertaken && (
        <section aria-label={`Version ${base.version}`} className="memory-newer">
          <h3>
            Version {base.version}, against the version {memory.version} that you began with
          </h3>
          <DiffText before={memory.content} after={base.content} />
          {base.path !== memory.path && (
            <p className="quiet">
              Its path is now <span className="code">{base.path ?? "empty"}</span>.
            </p>
          )}
        </section>
      )}
      <MemoryFields draft={draft} onChange={setDraft} />
      {base.untrusted && (
        <p className="quiet">
          A corrected text is not untrusted any more: who corrects it vouches for it.
        </p>
      )}
    </DialogForm>
  );
}
