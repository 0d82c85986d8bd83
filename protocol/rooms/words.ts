// Words of fields that the schemas of this room have.
export const ROOM_WORDS = {
  room_id: "The room.",
  participant: "The name of the participant.",
  participants: "Those who take part.",
  "RoomAgent.name":
    "By which others know and mention it: 1 to 64 letters, digits, `_` and `-`, unique in the room.",
  "RoomAgent.kind": "`agent`, as when left out.",
  "RoomAgent.agent_version":
    "A version's number, or `latest` for the newest one at each turn; the current one when left out.",
  "RoomPerson.name":
    "By which others know and mention the person: 1 to 64 letters, digits, `_` and `-`, unique in the room.",
  "RoomPerson.kind": "`person`.",
  "RoomPerson.awaited":
    "Whether the person has turns of their own, for which the room waits; no when left out.",
  "RoomPerson.form":
    "JSON Schema of a flat object: what the person is asked for at their turn; null for a text.",
  "RoomPerson.input_timeout_ms":
    "Milliseconds that the person has for a turn, after which it ends; a day when left out.",
  "RoomParticipant.name": "The participant's name.",
  "RoomParticipant.kind": "`agent` or `person`.",
  "RoomParticipant.agent_id": "The agent; null for a person.",
  "RoomParticipant.agent_version": "The version that it speaks with; null for a person.",
  "RoomParticipant.session_id": "The agent's session, which can be read; null for a person.",
  "RoomParticipant.end_user_id": "The tenant's own id of the person; null for an agent.",
  "RoomParticipant.awaited": "Whether the room waits for the person's turns.",
  "RoomParticipant.form": "What the person is asked for at a turn; null for a text.",
  "RoomParticipant.input_timeout_ms":
    "Milliseconds that the person has for a turn; null for a day.",
  "RoomParticipant.joined_at": "When it joined.",
  "RoomParticipant.left_at": "When it left; null while it takes part.",
  "RoomParticipant.status":
    "`running` or `waiting` during its turn, `idle` at all other times, `left` afterwards.",
  "RoomParticipant.participant": "An agent or a person, as at the creation of a room.",
  "RoomParticipant.history":
    "What an agent that joins is told of what was said before: `all`, as when left out, or `none`.",
  "Room.title": "A line for lists; null for none.",
  "Room.participants.kind": "`agent` or `person`.",
  "Room.participants.name": "The participant's name.",
  "Room.participants.agent_id": "The agent; null for a person.",
  "Room.participants.session_id": "The agent's session; null for a person.",
  "Room.participants.end_user_id": "The tenant's own id of the person; null for an agent.",
  "Room.turns":
    "Who speaks when: `sequential`, one after the other, as when left out; `parallel`, all at once, who are told what the others have said when the round ends; `mentioned`, those whom a message names; `moderated`, whom the agent `moderator` chooses, which says nothing itself. `rounds` is how many rounds a discussion has in the first two, 1 when left out.",
  "Room.announcement": "The first message of the room, which each agent is given; null for none.",
  "Room.max_rounds": "Rounds after which a discussion ends as `max_rounds`; 10 when left out.",
  "Room.max_tokens":
    "Tokens of all agents, input and output, after which a discussion ends as `max_tokens`; null for no bound of its own.",
  "Room.max_ms": "Milliseconds after which a discussion ends as `timeout`; null for no bound.",
  "Room.turn_timeout_ms":
    "Milliseconds after which a turn ends, with the time that it waits for people; null for no bound.",
  "Room.voice":
    "How the room hears its people, who connect to it: then each of its agents has a voice. Null for a room in writing.",
  "RoomVoice.transcription": "The model that writes down what people say.",
  "RoomVoice.turns": "What ends a person's turn; silence when left out.",
  "RoomVoice.max_seconds":
    "Seconds after which a person's connection is closed; 3,600 when left out.",
  "RoomVoice.idle_seconds":
    "Seconds without speech after which the connections to the agents are let go; the next turn opens them again. 30 when left out.",
  "Room.status":
    "`running` while an agent works, `waiting` while nothing runs and a person is waited for, else `idle`.",
  "Room.round": "The round of the discussion that goes on, from 1; 0 while none does.",
  "Room.pending": "Calls of agents that wait for an answer: give it to `POST …/events`.",
  "Room.input_requests": "Turns of people for which the room waits: `POST …/input` takes them.",
  "Room.last_end": "How the last discussion has ended, and when; null before the first one has.",
  "Room.cursor": "The last position of the room's stream that is visible.",
  "Room.warnings": "What of the request has no effect. Left out when there is nothing.",
  "RoomInputRequest.id": "The id of the turn.",
  "RoomInputRequest.participant": "The person.",
  "RoomInputRequest.form": "JSON Schema of the values that are asked for; null for a text.",
  "RoomInputRequest.asked_at": "When the turn began.",
  "ListedRoom.id": "The id of the turn, which an answer may name.",
  "ListedRoom.participant": "The person.",
  "ListedRoom.form": "JSON Schema of the values that are asked for; null for a text.",
  "ListedRoom.asked_at": "When the turn began.",
  "RoomMessage.id":
    "The client's own id of the message. Sent again with the same content it is no second message.",
  "RoomMessage.participant":
    "The person who speaks. Left out: that of the client token, or the only person of the room.",
  "RoomMessage.content": "Text, or blocks of text and data.",
  "RoomMessage.mentions": "Participants who are to speak next, where turns go by mention.",
  "RoomMessage.on_busy":
    "What happens while a discussion goes on: `queue` waits for the end of the turn, `interrupt` ends it.",
  "RoomMessageReceipt.message": "The message as it is stored.",
  "RoomMessageReceipt.cursor": "The position before the message: a stream from here shows it.",
  "RoomMessageReceipt.added": "False when the same message was there before.",
  "RoomMessagePage.cursor": "The stream position of this page.",
  "RoomEventReceipt.participant": "The agent whose call was answered.",
  "RoomEventReceipt.reply": "The reply right after the event was stored, or null.",
  "RoomEventReceipt.cursor": "The room's position before the event.",
  "RoomEventReceipt.applied": "False when the same answer had been applied before.",
  "RoomInterrupt.participant": "Whose turn is ended; the whole discussion when left out.",
  "RoomInterruptResult.interrupted": "False when nothing ran and nothing waited.",
  "RoomInterruptResult.participants": "Those whose turns were ended.",
  "RoomAnswer.participant":
    "The person whose turn it is. Left out: that of the client token, or the only one who is waited for.",
  "RoomAnswer.input_request_id":
    "The request that is meant; the open one of the participant when left out.",
  "RoomAnswer.action": "`accept`, as when left out, or `decline`: no message.",
  "RoomAnswer.content": "Text, or blocks of text and data.",
  "RoomAnswer.values": "The values that the form asks for.",
  "RoomAnswer.mentions": "Participants who are to speak next, where turns go by mention.",
  "RoomInputReceipt.message": "The message as it is stored; null for a declined request.",
  "RoomInputReceipt.cursor": "The position before it.",
  "RoomInputReceipt.applied": "False when the same answer had been applied before.",
  "RoomToken.participant": "The person as whom it speaks; null for one that speaks as nobody.",
  "RoomToken.allowed_origins":
    "Origins of the pages that may use it; any origin, and apps that are no pages, when left out or null.",
  "RoomToken.expires_at": "When it expires; its streams end then.",
  "RoomToken.key_id": "The API key that minted it.",
  "RoomToken.token": "The token itself, `rm_…`. It is shown this once.",
  "RoomToken.ttl_seconds": "Its lifetime in seconds.",
  "RoomToken.verbs": "What it may do.",
  "MintedRoomToken.participant":
    "The person as whom it speaks; null for one that speaks as nobody.",
  "MintedRoomToken.allowed_origins": "Origins of the pages that may use it; null for any.",
  "MintedRoomToken.key_id": "The API key that minted it.",
  "MintedRoomToken.verbs": "What it may do.",
  "RoomState.cursor": "The position of the room's stream that the state is of.",
  "RoomState.messages": "What was said, oldest first, `name` being the speaker.",
  "RoomState.messages_truncated": "Whether older messages were left out.",
  "RoomState.agents": "Each agent's state, by the name of its participant.",
} as const;
