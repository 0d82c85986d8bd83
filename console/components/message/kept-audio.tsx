import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";

import type { Msg } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { failureText } from "../failure-text.ts";
import { useObjectUrl } from "../use-object-url.ts";
import { audioFilesOf, type AudioFile } from "./audio-files-of.ts";

/** Audio of a message that its agent has kept: read with the console's token when somebody wants to hear it. */
export function KeptAudio({ message }: { readonly message: Msg }) {
  const mayRead = useMay("files:read");
  const files = audioFilesOf(message);
  if (files.length === 0 || !mayRead) return null;
  return (
    <ul className="kept-audio" aria-label="Kept audio">
      {files.map((file) => (
        <li key={file.fileId}>
          <AudioPlayer file={file} />
        </li>
      ))}
    </ul>
  );
}

function AudioPlayer({ file: { fileId, seconds } }: { readonly file: AudioFile }) {
  const reprise = useReprise();
  const [isWanted, setIsWanted] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["kept-audio", fileId],
    queryFn: async () => {
      const bytes = await (await reprise.files.content(fileId)).arrayBuffer();
      // Whatever the file is, it is played and nothing else.
      return new Blob([bytes], { type: "audio/wav" });
    },
    enabled: isWanted,
    staleTime: Infinity,
  });
  const url = useObjectUrl(data);
  if (error) {
    return (
      <span role="alert" className="field-error">
        The audio cannot be read: {failureText(error)}
      </span>
    );
  }
  if (url !== null) {
    return <audio controls autoPlay src={url} aria-label={`Audio of ${seconds.toFixed(1)} s`} />;
  }
  return (
    <button type="button" className="button" disabled={isWanted} onClick={() => setIsWanted(true)}>
      <Play size={14} aria-hidden />
      {isWanted ? "Reading…" : `Play ${seconds.toFixed(1)} s`}
    </button>
  );
}
