-------------------------------- MODULE quote --------------------------------
(* How one quote travels: a phone whose page and worker send it, a line that loses, repeats and delays, a server that
   answers once its disk has it, a power cut, a backup and its restore. It is checked exhaustively by
   tests/unit/model.test.ts, which also holds `Settled` against the shipped `settle` (src/outbox/state.ts).          *)
EXTENDS Naturals

VARIABLES
  phone,    \* where the quote stands on the phone's disk
  told,     \* what its sender was told last: "nothing", "kept", "delivered"
  holder,   \* who has the lock and tries: "nobody", "page" or "worker"
  asked,    \* the try under way: "no", "out" (on its way), "in" (the server has it), or how it ends
  stray,    \* a copy of the request is still on the line
  memory,   \* the server has carried it out
  disk,     \* and synced it
  backup,   \* the last backup: "none", "without" it or "with" it
  restores, \* how often a backup may still be brought back
  troubles  \* how often the line or the server may still fail: afterwards they are fair

vars == <<phone, told, holder, asked, stray, memory, disk, backup, restores, troubles>>

Waiting == {"waiting none", "waiting unreachable", "waiting retry-after", "waiting access-denied"}
Again   == {"again none", "again unreachable", "again retry-after", "again access-denied"}
Arrived == {"delivered", "resent", "returned"}
Phones  == {"no quote", "refused"} \union Waiting \union Again \union Arrived
Outcomes == {"delivered", "known", "reference", "unreachable", "retry-after", "access-denied", "quote-lost"}

(* Where something that waits stands after a try. `known`: turned away for good. `reference`: what it refers to is gone,
   which only a reply is told (23503). `again`: it was delivered to a server that has lost it since.                   *)
Settled(state, outcome) ==
  CASE outcome = "delivered" -> IF state \in Again THEN "resent" ELSE "delivered"
    [] outcome = "known" -> "refused"
    [] outcome = "reference" -> IF state \in Again THEN "returned" ELSE "refused"
    [] outcome = "quote-lost" -> IF state \in Again THEN "again none" ELSE "waiting none"
    [] outcome = "unreachable" -> IF state \in Again THEN "again unreachable" ELSE "waiting unreachable"
    [] outcome = "retry-after" -> IF state \in Again THEN "again retry-after" ELSE "waiting retry-after"
    [] OTHER -> IF state \in Again THEN "again access-denied" ELSE "waiting access-denied"

Init ==
  /\ phone = "no quote" /\ told = "nothing" /\ holder = "nobody" /\ asked = "no" /\ stray = FALSE
  /\ memory = FALSE /\ disk = FALSE /\ backup = "none" /\ restores = 1 /\ troubles = 3

\* On the phone --------------------------------------------------------------

Keep ==
  /\ phone = "no quote"
  /\ phone' = "waiting none" /\ told' = "kept"
  /\ UNCHANGED <<holder, asked, stray, memory, disk, backup, restores, troubles>>

Take(sender) ==
  /\ holder = "nobody" /\ phone \in Waiting \union Again
  /\ holder' = sender /\ asked' = "out"
  /\ UNCHANGED <<phone, told, stray, memory, disk, backup, restores, troubles>>

Settle ==
  /\ asked \in Outcomes
  /\ phone' = Settled(phone, asked)
  /\ told' = IF phone' \in Arrived THEN "delivered" ELSE told
  /\ holder' = "nobody" /\ asked' = "no"
  /\ UNCHANGED <<stray, memory, disk, backup, restores, troubles>>

\* The page is closed, or the browser ends its worker: what it has sent goes on alone.
Die ==
  /\ holder # "nobody" /\ troubles > 0
  /\ holder' = "nobody" /\ asked' = "no" /\ troubles' = troubles - 1
  /\ stray' = (stray \/ asked = "out")
  /\ UNCHANGED <<phone, told, memory, disk, backup, restores>>

\* Once a start, and once a day, the phone asks what the server has never seen.
Compare ==
  /\ phone \in Arrived /\ ~memory
  /\ phone' = "again none"
  /\ UNCHANGED <<told, holder, asked, stray, memory, disk, backup, restores, troubles>>

\* The line ------------------------------------------------------------------

Lose ==
  /\ asked \in {"out", "in"} \union (Outcomes \ {"unreachable"}) /\ troubles > 0
  /\ asked' = "unreachable" /\ troubles' = troubles - 1
  /\ UNCHANGED <<phone, told, holder, stray, memory, disk, backup, restores>>

Repeat ==
  /\ asked = "out" /\ ~stray /\ troubles > 0
  /\ stray' = TRUE /\ troubles' = troubles - 1
  /\ UNCHANGED <<phone, told, holder, asked, memory, disk, backup, restores>>

StrayArrives ==
  /\ stray
  /\ stray' = FALSE /\ memory' = TRUE
  /\ UNCHANGED <<phone, told, holder, asked, disk, backup, restores, troubles>>

\* The server ----------------------------------------------------------------

Arrive ==
  /\ asked = "out"
  /\ asked' = "in" /\ memory' = TRUE
  /\ UNCHANGED <<phone, told, holder, stray, disk, backup, restores, troubles>>

Sync ==
  /\ memory /\ ~disk
  /\ disk' = TRUE
  /\ UNCHANGED <<phone, told, holder, asked, stray, memory, backup, restores, troubles>>

\* No 201 before the sync.
Answer ==
  /\ asked = "in" /\ disk
  /\ asked' = "delivered"
  /\ UNCHANGED <<phone, told, holder, stray, memory, disk, backup, restores, troubles>>

TurnAway(outcome) ==
  /\ asked = "out" /\ troubles > 0
  /\ asked' = outcome /\ troubles' = troubles - 1
  /\ UNCHANGED <<phone, told, holder, stray, memory, disk, backup, restores>>

\* Who is answered by it learns nothing: its line breaks off.
CutPower ==
  /\ troubles > 0
  /\ memory' = disk /\ troubles' = troubles - 1
  /\ asked' = IF asked = "in" THEN "unreachable" ELSE asked
  /\ UNCHANGED <<phone, told, holder, stray, disk, backup, restores>>

BackUp ==
  /\ restores > 0
  /\ backup' = IF disk THEN "with" ELSE "without"
  /\ UNCHANGED <<phone, told, holder, asked, stray, memory, disk, restores, troubles>>

Restore ==
  /\ restores > 0 /\ backup # "none"
  /\ memory' = (backup = "with") /\ disk' = (backup = "with") /\ restores' = restores - 1
  /\ asked' = IF asked = "in" THEN "unreachable" ELSE asked
  /\ UNCHANGED <<phone, told, holder, stray, backup, troubles>>

Next ==
  \/ Keep \/ Settle \/ Die \/ Compare \/ Lose \/ Repeat \/ StrayArrives
  \/ Take("page") \/ Take("worker")
  \/ Arrive \/ Sync \/ Answer \/ CutPower \/ BackUp \/ Restore
  \/ TurnAway("retry-after") \/ TurnAway("access-denied")

(* What goes on by itself does go on. That a backup is made or brought back, and that anything fails, need not happen. *)
Spec ==
  Init /\ [][Next]_vars
  /\ WF_vars(Take("page")) /\ WF_vars(Settle) /\ WF_vars(Compare)
  /\ WF_vars(Arrive) /\ WF_vars(Sync) /\ WF_vars(Answer)

TypeOK ==
  /\ phone \in Phones
  /\ told \in {"nothing", "kept", "delivered"}
  /\ holder \in {"nobody", "page", "worker"}
  /\ asked \in {"no", "out", "in"} \union Outcomes
  /\ backup \in {"none", "without", "with"}

\* A receipt is not taken back: what was kept is on the phone, or turned away and told so.
KeptIsThere == told # "nothing" => phone # "no quote"

\* Nobody is told that it was delivered before its server's disk has it, or had it: only a restore takes it away.
ToldIsTrue == told = "delivered" => disk \/ restores = 0

\* The answer that is on its way says what the disk says, or said until a backup was brought back.
NoAnswerBeforeSync == asked = "delivered" => disk \/ restores = 0

OneSender == holder = "nobody" <=> asked = "no"

DiskFollowsMemory == disk => memory

\* Once trouble is over, whatever was kept is on the server's disk, and its phone says so.
Arrives == (told = "kept") ~> (phone \in Arrived /\ disk)
Returns == (phone \in Arrived /\ ~memory) ~> (phone \in Arrived /\ disk)
ComesBack == (phone \in Again) ~> (phone \in Arrived /\ disk)
=============================================================================
