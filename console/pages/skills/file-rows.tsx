import { FilePlus, FolderUp, Pencil, Trash2, Upload } from "lucide-react";
import { useId, useRef, useState, type DragEvent } from "react";

import { IconButton } from "../../components/forms/icon-button.tsx";
import { formatBytes } from "../../components/charts/format-number.ts";
import { failureText } from "../../components/failure-text.ts";
import { TextField } from "../../components/forms/fields.tsx";
import { filesOfDrop, filesOfInput, readChosen } from "./chosen-files.ts";
import {
  bytesOf,
  fileDraft,
  FOLDER_LIMITS,
  withFiles,
  type FileDraft,
  type FolderDraft,
} from "./folder-draft.ts";

interface FileRowsProps {
  readonly draft: FolderDraft;
  /** Faults by the files' keys. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (draft: FolderDraft) => void;
}

/** The files beside SKILL.md: chosen, dropped or written here. */
export function FileRows({ draft, problems, onChange }: FileRowsProps) {
  const heading = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [isOver, setIsOver] = useState(false);
  const [written, setWritten] = useState<string | null>(null);
  // Text that was written while the files were read is kept.
  const latest = useRef(draft);
  latest.current = draft;
  const { others } = draft;
  const setOthers = (next: readonly FileDraft[]) => onChange({ ...draft, others: next });

  async function add(chosen: ReturnType<typeof filesOfDrop>): Promise<void> {
    try {
      const read = await readChosen(await chosen);
      setRefused(read.refused);
      onChange(withFiles(latest.current, read.files));
    } catch (error) {
      setRefused([failureText(error)]);
    }
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    void add(filesOfDrop(event.dataTransfer));
  }

  function writeOne(): void {
    const file = fileDraft(freePath(others), { kind: "text", text: "" });
    setOthers([...others, file]);
    setWritten(file.key);
  }

  return (
    <section
      className="panel skill-drop"
      aria-labelledby={heading}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <div className="panel-head">
        <h2 id={heading}>Further files</h2>
        <div className="button-row">
          <button type="button" className="button" onClick={writeOne}>
            <FilePlus size={16} aria-hidden />
            Write a file
          </button>
          <PickButton input={fileInput} label="Choose files">
            <Upload size={16} aria-hidden />
          </PickButton>
          <PickButton input={folderInput} label="Choose a folder">
            <FolderUp size={16} aria-hidden />
          </PickButton>
        </div>
      </div>
      <p className="quiet">
        Or drop files or the skill’s whole folder here. A file may have{" "}
        {formatBytes(FOLDER_LIMITS.fileBytes)}, all together{" "}
        {formatBytes(FOLDER_LIMITS.folderBytes)}. None of them is run.
      </p>
      {[fileInput, folderInput].map((input, index) => (
        <input
          key={index}
          ref={(element) => {
            input.current = element;
            if (index === 1) element?.setAttribute("webkitdirectory", "");
          }}
          type="file"
          multiple
          hidden
          aria-label={index === 0 ? "Files" : "Folder"}
          onChange={({ currentTarget }) => {
            if (currentTarget.files) void add(Promise.resolve(filesOfInput(currentTarget.files)));
            currentTarget.value = "";
          }}
        />
      ))}
      {refused.length > 0 && (
        <ul role="alert" className="field-error skill-refused">
          {refused.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ol className="skill-drafts" aria-label="Files of the skill">
          {others.map((file, index) => (
            <FileRow
              key={file.key}
              file={file}
              number={index + 1}
              isOpenAtFirst={file.key === written}
              problem={problems.get(file.key) ?? null}
              onChange={(next) => setOthers(others.with(index, next))}
              onRemove={() => setOthers(others.filter(({ key }) => key !== file.key))}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

/** `references/details.md`, with a number when there is one. */
function freePath(others: readonly FileDraft[]): string {
  const taken = new Set(others.map(({ path }) => path));
  for (let number = 1; ; number += 1) {
    const path = `references/details${number === 1 ? "" : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}

interface PickButtonProps {
  readonly input: { readonly current: HTMLInputElement | null };
  readonly label: string;
  readonly children: React.ReactNode;
}

function PickButton({ input, label, children }: PickButtonProps) {
  return (
    <button type="button" className="button" onClick={() => input.current?.click()}>
      {children}
      {label}
    </button>
  );
}

interface FileRowProps {
  readonly file: FileDraft;
  /** Number, from 1. */
  readonly number: number;
  readonly isOpenAtFirst: boolean;
  readonly problem: string | null;
  readonly onChange: (file: FileDraft) => void;
  readonly onRemove: () => void;
}

function FileRow({ file, number, isOpenAtFirst, problem, onChange, onRemove }: FileRowProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { path, content } = file;
  return (
    <li className="skill-draft">
      <div className="skill-draft-head">
        <TextField
          label={`Path of file ${number}`}
          isCode
          isRequired
          error={problem}
          value={path}
          onChange={(next) => onChange({ ...file, path: next })}
        />
        <span className="quiet skill-draft-size">
          {content.kind === "binary" ? "binary, " : ""}
          {formatBytes(bytesOf(content))}
        </span>
        {content.kind === "text" && (
          <button
            type="button"
            className="button button-icon"
            aria-label={`Edit the text of ${path}`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Pencil size={16} aria-hidden />
          </button>
        )}
        <IconButton label={`Remove ${path}`} onPress={onRemove}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
      {isOpen && content.kind === "text" && (
        <TextField
          label={`Text of file ${number}`}
          lines={10}
          isCode
          value={content.text}
          onChange={(text) => onChange({ ...file, content: { kind: "text", text } })}
        />
      )}
    </li>
  );
}
