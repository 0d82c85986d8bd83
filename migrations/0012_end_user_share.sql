-- What each end user has: sessions with their id, and the bytes of those and of the files that were uploaded for them. A
-- session without an end user is counted for itself. A holder is `u:` and the end user's id, or `s:` and the session's. No
-- count falls below zero, and a row without anything is deleted.
CREATE TABLE `end_user_counts` (
	`tenant_id` text NOT NULL,
	`holder` text NOT NULL,
	`sessions` integer DEFAULT 0 NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `holder`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `files` ADD `holder` text;
--> statement-breakpoint
ALTER TABLE `token_issuers` ADD `end_user_share` text;
--> statement-breakpoint
UPDATE `files` SET `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || `id` ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = `files`.`session_id`) WHERE `session_id` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `sessions`, `stored_bytes`)
  SELECT `tenant_id`, `holder`, sum(`sessions`), sum(`bytes`) FROM (
    SELECT `sessions`.`tenant_id`, CASE WHEN `end_user_id` IS NULL THEN 's:' || `id` ELSE 'u:' || `end_user_id` END AS `holder`, 1 AS `sessions`, coalesce(`session_states`.`bytes`, 0) AS `bytes`
      FROM `sessions` LEFT JOIN `session_states` ON `session_states`.`session_id` = `sessions`.`id`
    UNION ALL
    SELECT `tenant_id`, `holder`, 0, max(`bytes`, 4096) FROM `files` WHERE `holder` IS NOT NULL
  ) GROUP BY `tenant_id`, `holder`;
--> statement-breakpoint
CREATE TRIGGER `sessions_held` AFTER INSERT ON `sessions` BEGIN
  INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `sessions`, `stored_bytes`)
    VALUES (NEW.`tenant_id`, CASE WHEN NEW.`end_user_id` IS NULL THEN 's:' || NEW.`id` ELSE 'u:' || NEW.`end_user_id` END, 1, coalesce((SELECT `bytes` FROM `session_states` WHERE `session_id` = NEW.`id`), 0))
    ON CONFLICT DO UPDATE SET `sessions` = `sessions` + 1, `stored_bytes` = `stored_bytes` + excluded.`stored_bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_unheld` AFTER DELETE ON `sessions` BEGIN
  UPDATE `end_user_counts` SET `sessions` = max(`sessions` - 1, 0), `stored_bytes` = max(`stored_bytes` - coalesce((SELECT `bytes` FROM `session_states` WHERE `session_id` = OLD.`id`), 0), 0)
    WHERE `tenant_id` = OLD.`tenant_id` AND `holder` = CASE WHEN OLD.`end_user_id` IS NULL THEN 's:' || OLD.`id` ELSE 'u:' || OLD.`end_user_id` END;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_held` AFTER INSERT ON `session_states` WHEN NEW.`bytes` <> 0 BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes`
    WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || `id` ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = NEW.`session_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_reheld` AFTER UPDATE OF `bytes` ON `session_states` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0)
    WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || `id` ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = NEW.`session_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_unheld` AFTER DELETE ON `session_states` WHEN OLD.`bytes` <> 0 BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0)
    WHERE `tenant_id` = OLD.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || `id` ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = OLD.`session_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `files_held` AFTER INSERT ON `files` WHEN NEW.`holder` IS NOT NULL BEGIN
  INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `stored_bytes`) VALUES (NEW.`tenant_id`, NEW.`holder`, max(NEW.`bytes`, 4096))
    ON CONFLICT DO UPDATE SET `stored_bytes` = `stored_bytes` + excluded.`stored_bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `files_reheld` AFTER UPDATE OF `bytes` ON `files` WHEN NEW.`holder` IS NOT NULL AND NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` + max(NEW.`bytes`, 4096) - max(OLD.`bytes`, 4096), 0)
    WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = NEW.`holder`;
END;
--> statement-breakpoint
CREATE TRIGGER `files_unheld` AFTER DELETE ON `files` WHEN OLD.`holder` IS NOT NULL BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` - max(OLD.`bytes`, 4096), 0)
    WHERE `tenant_id` = OLD.`tenant_id` AND `holder` = OLD.`holder`;
END;
--> statement-breakpoint
CREATE TRIGGER `end_user_counts_emptied` AFTER UPDATE ON `end_user_counts` WHEN NEW.`sessions` = 0 AND NEW.`stored_bytes` = 0 BEGIN
  DELETE FROM `end_user_counts` WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = NEW.`holder`;
END;
--> statement-breakpoint
-- A request of an end user inserts into this view what it is about to add, in the batch that adds it: nothing is stored, and
-- above the share the whole batch is aborted. `share` has what an issuer sets itself, as JSON; a null there is no limit.
CREATE VIEW `end_user_checks` AS SELECT `tenant_id`, `holder`, '' AS `quota`, 0 AS `adds`, '{}' AS `share` FROM `end_user_counts`;
--> statement-breakpoint
CREATE TRIGGER `end_user_checks_made` INSTEAD OF INSERT ON `end_user_checks` BEGIN
  SELECT RAISE(ABORT, 'quota_exceeded end_user_sessions') FROM `tenants`
    LEFT JOIN `end_user_counts` AS `held` ON `held`.`tenant_id` = `tenants`.`id` AND `held`.`holder` = NEW.`holder`
    WHERE NEW.`quota` = 'sessions' AND `tenants`.`id` = NEW.`tenant_id` AND coalesce(`held`.`sessions`, 0) + NEW.`adds` > CASE WHEN json_type(NEW.`share`, '$.sessions') IS NOT NULL THEN json_extract(NEW.`share`, '$.sessions')
      WHEN json_type(`tenants`.`quotas`, '$.end_user_share.sessions') IS NOT NULL THEN json_extract(`tenants`.`quotas`, '$.end_user_share.sessions')
      ELSE 1000 END;
  SELECT RAISE(ABORT, 'quota_exceeded end_user_stored_bytes') FROM `tenants`
    LEFT JOIN `end_user_counts` AS `held` ON `held`.`tenant_id` = `tenants`.`id` AND `held`.`holder` = NEW.`holder`
    WHERE NEW.`quota` = 'stored_bytes' AND `tenants`.`id` = NEW.`tenant_id` AND coalesce(`held`.`stored_bytes`, 0) + NEW.`adds` > (CASE WHEN json_type(NEW.`share`, '$.stored_bytes_percent') IS NOT NULL THEN json_extract(NEW.`share`, '$.stored_bytes_percent')
      WHEN json_type(`tenants`.`quotas`, '$.end_user_share.stored_bytes_percent') IS NOT NULL THEN json_extract(`tenants`.`quotas`, '$.end_user_share.stored_bytes_percent')
      ELSE 10 END)
      * json_extract(`tenants`.`quotas`, '$.stored_bytes') / 100;
END;
