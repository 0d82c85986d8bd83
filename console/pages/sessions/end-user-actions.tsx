import { useQueryClient } from "@tanstack/react-query";
import { UserX } from "lucide-react";

import type { Reprise } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DownloadButton } from "../../components/download-button.tsx";

/** Export and erasure of one end user, where the list shows that one alone. */
export function EndUserActions({ endUserId }: { readonly endUserId: string }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const [mayErase, mayRead, mayReadFiles, mayReadMemories] = [
    useMay("sessions:write"),
    useMay("sessions:read"),
    useMay("files:read"),
    useMay("memories:read"),
  ];
  return (
    <>
      {mayRead && mayReadFiles && mayReadMemories && (
        <DownloadButton
          label="Export all"
          fileName={`${endUserId}.jsonl`}
          read={() => readExport(reprise, endUserId)}
        />
      )}
      {mayErase && (
        <DangerDialog
          button={{ text: "Erase this end user", icon: UserX, look: "danger" }}
          title={`Erase ${endUserId}?`}
          typed={endUserId}
          action="Erase"
          onConfirm={async () => {
            await reprise.endUsers.delete(endUserId);
            await queries.invalidateQueries({ queryKey: ["sessions"] });
          }}
        >
          <p>
            Every session of this end user goes, whatever the other filters say, with its
            conversation and files; and so do the memories of it, the connections to MCP servers and
            the name in the usage. It takes some seconds, and cannot be undone.
          </p>
        </DangerDialog>
      )}
    </>
  );
}

/** All pages of the export, one behind the other. @throws where a page was cut off. */
async function readExport(reprise: Reprise, endUserId: string): Promise<Response> {
  const parts: string[] = [];
  let page: string | null = null;
  do {
    const query: { page?: string } = page === null ? {} : { page };
    const text = await (await reprise.endUsers.export(endUserId, query)).text();
    const last = /[^\n]+\n$/.exec(text)?.[0] ?? "";
    if (!last.startsWith('{"type":"end"')) throw new Error("The export was cut off. Try it again.");
    parts.push(text.slice(0, text.length - last.length));
    ({ next_page: page } = JSON.parse(last) as { readonly next_page: string | null });
  } while (page !== null);
  return new Response(parts.join(""));
}
