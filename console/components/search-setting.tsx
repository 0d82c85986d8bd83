import { useQuery, useQueryClient } from "@tanstack/react-query";

import { useMay, useReprise } from "../access/access-context.ts";
import { formatBytes } from "./charts/format-number.ts";
import { DangerDialog } from "./danger-dialog.tsx";

/** Whether the tenant's sessions can be searched, and the button that changes it. */
export function SearchSetting() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayRead = useMay("sessions:read");
  const mayWrite = useMay("agents:write");
  const { data } = useQuery({
    queryKey: ["session search"],
    queryFn: () => reprise.sessions.getSearch(),
    enabled: mayRead,
  });
  if (!data) return null;
  const set = async (enabled: boolean): Promise<void> => {
    queries.setQueryData(["session search"], await reprise.sessions.updateSearch({ enabled }));
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <section aria-labelledby="session-search" className="section">
      <h2 id="session-search">Search over sessions</h2>
      <p>
        {data.enabled
          ? `Titles and first messages are in an index of ${formatBytes(data.stored_bytes)}, which counts as stored bytes.`
          : "Off: there is no index, and nothing is indexed."}
      </p>
      {mayWrite && data.enabled && (
        <div>
          <DangerDialog
            title="Turn the search off?"
            action="Turn off"
            button={{ text: "Turn the search off" }}
            onConfirm={() => set(false)}
          >
            <p>
              The index is erased for everyone of this tenant. Sessions stay, and the search can be
              turned on again; it then makes the index anew.
            </p>
          </DangerDialog>
        </div>
      )}
      {mayWrite && !data.enabled && <TurnOn onPress={() => set(true)} />}
    </section>
  );
}

function TurnOn({ onPress }: { readonly onPress: () => Promise<void> }) {
  return (
    <div>
      <button type="button" className="button" onClick={() => void onPress()}>
        Turn the search on
      </button>
    </div>
  );
}
