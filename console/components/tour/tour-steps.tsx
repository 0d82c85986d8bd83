// The steps of the tour that plays the refund desk.
import type { ReactNode } from "react";

export interface TourStep {
  readonly title: string;
  readonly body: ReactNode;
  /** Text to be copied into the playground. */
  readonly text?: string;
  /** A page that the step leads to. */
  readonly link?: { readonly to: "/playground" | "/sessions"; readonly label: string };
}

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: "Ask for a refund",
    body: (
      <>
        This is the refund desk, in the playground. Its model is played by a script, so it needs no
        key. Send it the message below, and watch the text stream in.
      </>
    ),
    text: "Please refund order A-1001.",
    link: { to: "/playground", label: "Open the playground" },
  },
  {
    title: "The desk looks the order up",
    body: (
      <>
        A rule allows the lookup, so it does not ask. If the call waits for a result, you are the
        shop’s system: fill in the text below and submit it.
      </>
    ),
    text: "four espresso cups for 38.00 EUR, delivered on 12 November",
  },
  {
    title: "Approve, with an edit",
    body: (
      <>
        A refund moves money, and no rule allows it: the reply waits for a person. Nothing runs
        meanwhile, for as long as it takes. Choose <em>Edit…</em>, add the amount, and allow it. The
        tool gets your arguments, and the log keeps both. If it waits for a result then, you are the
        shop’s bank: submit one.
      </>
    ),
    text: '{"order_id": "A-1001", "amount": "12.50 EUR"}',
  },
  {
    title: "A result from outside",
    body: (
      <>
        The label is printed by a system outside of the platform, and the reply waits for its
        result. Submit one as that system would.
      </>
    ),
    text: "RETURN-7741",
  },
  {
    title: "Cut the network",
    body: (
      <>
        Send the message below, press <em>Cut the network</em> while text is coming, and restore it.
        The page goes on behind the last event that it has seen: nothing is lost, nothing comes
        twice. Reload the page in the middle, too.
      </>
    ),
    text: "/rate 20\n/words 200",
  },
  {
    title: "Everything has a number",
    body: (
      <>
        That was the tour. The session’s page has all of it: each event with its number, each
        decision with the rule or the person that made it. From here, change the agent, or open a
        session from your back end.
      </>
    ),
    link: { to: "/sessions", label: "See the session" },
  },
];
