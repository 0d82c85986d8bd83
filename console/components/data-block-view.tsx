import { useQuery } from "@tanstack/react-query";

import type { ContentBlock } from "../../sdk/index.ts";
import { useReprise } from "../access/access-context.ts";
import { SafeLink } from "./markdown/safe-link.tsx";
import { useObjectUrl } from "./use-object-url.ts";

type DataBlock = Extract<ContentBlock, { type: "data" }>;

/** Types of pictures that a browser draws and does not run: SVG is not among them. */
const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);
const FILE = /^(https?:\/\/[^/]+)\/v1\/files\/(fil_[0-9a-z]{26})\/content$/;

/**
 * A picture or a file. Pictures are drawn when their bytes are in the message or in the platform's files; what is
 * elsewhere is a link, since loading it would tell a stranger who reads the conversation, and when.
 */
export function DataBlockView({ block }: { readonly block: DataBlock }) {
  const { source, name } = block;
  const label = name ?? source.media_type;
  if (source.type === "base64") {
    if (!PICTURES.has(source.media_type))
      return <FileNote label={label} type={source.media_type} />;
    const url = `data:${source.media_type};base64,${source.data}`;
    return <img className="message-picture" src={url} alt={label} />;
  }
  const [, origin, fileId] = FILE.exec(source.url) ?? [];
  if (origin === window.location.origin && fileId !== undefined) {
    return PICTURES.has(source.media_type) ? (
      <PlatformPicture fileId={fileId} label={label} />
    ) : (
      <FileNote label={`${label} (${fileId})`} type={source.media_type} />
    );
  }
  return (
    <p>
      <SafeLink url={source.url}>{label}</SafeLink>
    </p>
  );
}

function FileNote({ label, type }: { readonly label: string; readonly type: string }) {
  return (
    <p className="file-note">
      File: {label} <span className="quiet">{type}</span>
    </p>
  );
}

/** Read with the console's token, and shown from memory. */
function PlatformPicture({ fileId, label }: { readonly fileId: string; readonly label: string }) {
  const reprise = useReprise();
  const { data, error } = useQuery({
    queryKey: ["file", fileId],
    queryFn: async () => (await reprise.files.content(fileId)).blob(),
    staleTime: Infinity,
  });
  const url = useObjectUrl(data);
  if (error) return <FileNote label={`${label} (cannot be read)`} type="" />;
  return url === null ? null : <img className="message-picture" src={url} alt={label} />;
}
