// Commands that are asked about whatever the rules allow, with the reasons, and commands that are not: a question that
// nobody needs teaches people to press "allow".
import { describe, expect, it } from "vitest";

import { BASH, check } from "./permission-tools.ts";

function reasonOf(command: string): string | null {
  const { isSafetyAsk, behavior, reason } = check(BASH, command, { rules: ["allow Bash"] });
  expect(isSafetyAsk).toBe(behavior === "ask");
  return behavior === "ask" ? reason : null;
}

describe("a dangerous command is asked about", () => {
  it.each([
    ["rm -rf x", "Safety: rm -rf"],
    ["rm -R --force x", "Safety: rm -rf"],
    ["rm --rec -f x", "Safety: rm -rf"],
    ["sudo rm x", "Safety: sudo rm"],
    ["/usr/bin/sudo rm x", "Safety: sudo rm"],
    ["doas rm x", "Safety: sudo rm"],
    ["rm -r /", "Safety: the removal of /"],
    ["rm -r /*", "Safety: the removal of /*"],
    ["rm -r /**", "Safety: the removal of /**"],
    ["rm -r ~", "Safety: the removal of ~"],
    ["rm -r ~root", "Safety: the removal of ~root"],
    ["rmdir /etc", "Safety: the removal of /etc"],
    ["rmdir /ETC/*", "Safety: the removal of /ETC/*"],
    ["unlink /usr", "Safety: the removal of /usr"],
    ["rm x /opt/", "Safety: the removal of /opt/"],
    ["chmod 777 x", "Safety: chmod 777"],
    ["chmod 4777 x", "Safety: chmod 777"],
    ["chmod +rwx x", "Safety: chmod 777"],
    ["chmod a+rwx x", "Safety: chmod 777"],
    ["chmod ugo+rwx x", "Safety: chmod 777"],
    ["chown -R root x", "Safety: chown -R"],
    ["chown --recursive root x", "Safety: chown -R"],
    ["kill -9 12", "Safety: kill -9"],
    ["kill -s 9 12", "Safety: kill -9"],
    ["kill -KILL 12", "Safety: kill -9"],
    ["kill -SIGKILL 12", "Safety: kill -9"],
    ["pkill --signal=9 node", "Safety: pkill -9"],
    ["pkill --signal=KILL node", "Safety: pkill -9"],
    ["killall --signal=sigkill node", "Safety: killall -9"],
    ["find . -name x -delete", "Safety: find -delete"],
    ["eval ls", "Safety: the command hands text to a shell"],
    // A file of that name; in doubt a person is asked.
    ["rm -- -rf", "Safety: rm -rf"],
    ["touch .github", "Safety: the command touches .github/workflows"],
    ["mkfs.ext4 disk", "Safety: mkfs.ext4"],
    ["shred x", "Safety: shred"],
    ["echo x > /dev/sda", "Safety: the command writes to /dev/sda"],
    ["touch .ssh/x", "Safety: the command touches .ssh"],
    ["touch .github/*", "Safety: the command touches .github/workflows"],
    ["touch .env.local", "Safety: the command touches .env.local"],
    ["touch .b*", "Safety: the command touches hidden files"],
    ["touch a/.b?", "Safety: the command touches hidden files"],
    ["echo x > .profile", "Safety: the command touches .profile"],
  ])("%s", (command, reason) => {
    expect(reasonOf(command)).toBe(reason);
  });

  it("a removal that is named in full is shown up to 200 characters", () => {
    const path = `/etc${"/".repeat(300)}`;

    expect(reasonOf(`rm ${path}`)).toBe(`Safety: the removal of ${path.slice(0, 200)}`);
  });
});

describe("an ordinary command is not", () => {
  it.each([
    "rm -r x",
    "rm -f x",
    "rm --interactive x",
    "rm -i /etc/x",
    "rm -r /home/ann/x",
    "rm -r a/etc",
    "rm -r ~/x",
    "rm -r a/~",
    "rm etc",
    "rm a/b/*",
    "visudo rm",
    "chmod 1755 x",
    "chmod 7770 x",
    "chmod 77 x",
    "chmod u+rwx x",
    "chmod x+rwx x",
    "chmod a+rwxs x",
    "chown root x",
    "chown --reference=a x",
    "chown root Report",
    "kill 12",
    "kill -15 12",
    "kill 99",
    "kill -s TERM 12",
    "pkill killer",
    "pkill skill",
    "pkill --signal=90 node",
    "find . -name delete",
    "echo x > /dev/null",
    "echo x > dev/sda",
    "touch a.b*",
    "touch x/environment",
    "touch github/x",
    "echo $HOME",
    "touch $HOME/x",
    "cat .bashrc",
  ])("%s", (command) => {
    expect(reasonOf(command)).toBeNull();
  });
});
