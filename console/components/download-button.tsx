import { Download } from "lucide-react";
import { useState } from "react";

interface DownloadButtonProps {
  /** Format of the file, such as "CSV". */
  readonly label: string;
  readonly fileName: string;
  readonly read: () => Promise<Response>;
}

/** Saves an answer of the API as a file. It is read with the console's token, so no link of it is left anywhere. */
export function DownloadButton({ label, fileName, read }: DownloadButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      const url = URL.createObjectURL(await (await read()).blob());
      const link = Object.assign(document.createElement("a"), { href: url, download: fileName });
      link.click();
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => void save()}>
        <Download size={16} aria-hidden />
        {isBusy ? "Reading…" : label}
      </button>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </>
  );
}
