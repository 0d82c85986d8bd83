import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { AccessContext } from "./access/access-context.ts";
import { Access } from "./access/access.ts";
import { openReprise } from "./access/open-reprise.ts";
import { makeQueries } from "./app/queries.ts";
import { makeRouter } from "./app/router.tsx";
import { applyTheme } from "./app/theme.ts";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/components.css";
import "./styles/conversation.css";
import "./styles/playground.css";
import "./styles/forms.css";
import "./styles/reports.css";
import "./styles/editor.css";
import "./styles/session.css";
import "./styles/plan.css";
import "./styles/skills.css";
import "./styles/mcp.css";
import "./styles/inbox.css";
import "./styles/waiting.css";
import "./styles/abilities.css";
import "./styles/replay.css";
import "./styles/memory.css";
import "./styles/called.css";
import "./styles/triggers.css";
import "./styles/rooms.css";
import "./styles/voice.css";

applyTheme();
const kind = window.location.pathname.startsWith("/operator") ? "operator" : "tenant";
const access = new Access(kind);
const queries = makeQueries();
// Another session may be another tenant's: nothing of the last one is shown.
access.subscribe(() => {
  if (access.state().kind === "signed_out") queries.clear();
});
const router = makeRouter(kind, access);
const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");

createRoot(root).render(
  <StrictMode>
    {/* The page's policy allows no inline style. */}
    <CSPProvider disableStyleElements>
      <AccessContext value={{ access, reprise: openReprise(access) }}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AccessContext>
    </CSPProvider>
  </StrictMode>,
);
