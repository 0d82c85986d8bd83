import { FileText, X } from "lucide-react";
import { useEffect, useState } from "react";

interface AttachmentsProps {
  readonly files: readonly File[];
  readonly onRemove: (file: File) => void;
}

/** The files of a message that is being written. */
export function Attachments({ files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Attached files">
      {files.map((file, index) => (
        <li key={`${index} ${file.name}`} className="attachment">
          <Preview file={file} />
          <span className="attachment-name">{file.name}</span>
          <button
            type="button"
            className="button button-icon button-small"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The picture from the person's own disk: no SVG, which could hold a script. */
function Preview({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  const isPicture = /^image\/(?:png|jpeg|gif|webp|avif)$/.test(file.type);
  useEffect(() => {
    if (!isPicture) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file, isPicture]);
  if (url === null) return <FileText size={16} aria-hidden />;
  return <img className="attachment-picture" src={url} alt="" />;
}
