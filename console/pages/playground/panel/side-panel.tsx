import { Tabs } from "@base-ui/react/tabs";

import type { SessionViewStatus } from "../../../../sdk/react/index.ts";
import { useMay } from "../../../access/access-context.ts";
import { CodePanel } from "./code-panel.tsx";
import { ContextPanel } from "./context-panel.tsx";
import type { EventLog } from "../event-log.ts";
import { EventsPanel } from "./events-panel.tsx";
import { FilesPanel } from "./files-panel.tsx";
import { PlanPanel } from "./plan-panel.tsx";
import { StatePanel } from "./state-panel.tsx";

const TABS = [
  ["events", "Events"],
  ["context", "Context"],
  ["state", "State"],
  ["plan", "Plan"],
  ["files", "Files"],
  ["code", "Code"],
] as const;

interface SidePanelProps {
  readonly log: EventLog;
  readonly status: SessionViewStatus;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}

/** Views behind the conversation. A view is read while it is shown. */
export function SidePanel({ log, status, tab, onTab }: SidePanelProps) {
  const mayReadFiles = useMay("files:read");
  const tabs = TABS.filter(([value]) => value !== "files" || mayReadFiles);
  const shown = tabs.some(([value]) => value === tab) ? tab : "events";
  return (
    <Tabs.Root value={shown} onValueChange={onTab} className="side-panel">
      <Tabs.List className="tabs" aria-label="Behind the conversation">
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value} className="tab">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="events" className="side-panel-view">
        <EventsPanel log={log} />
      </Tabs.Panel>
      <Tabs.Panel value="context" className="side-panel-view">
        <ContextPanel status={status} />
      </Tabs.Panel>
      <Tabs.Panel value="state" className="side-panel-view">
        <StatePanel />
      </Tabs.Panel>
      <Tabs.Panel value="plan" className="side-panel-view">
        <PlanPanel />
      </Tabs.Panel>
      <Tabs.Panel value="files" className="side-panel-view">
        <FilesPanel status={status} />
      </Tabs.Panel>
      <Tabs.Panel value="code" className="side-panel-view">
        <CodePanel />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
