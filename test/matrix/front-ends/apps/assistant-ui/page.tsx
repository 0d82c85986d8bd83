import "../page.css";
import { createRoot } from "react-dom/client";

import type { Connection } from "./back-end.ts";
import { Chat } from "./chat.tsx";

const response = await fetch(`/threads/${location.search.slice(1)}`);
const connection = (await response.json()) as Connection;
createRoot(document.querySelector("main")!).render(<Chat connection={connection} />);
