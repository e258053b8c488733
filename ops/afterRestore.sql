-- Run this once on a PostgreSQL database that was restored to an earlier state, before a gateway starts on it:
--   psql "$DATABASE_URL" --file ops/afterRestore.sql
-- Later events get positions that no lost event had. A client whose cursor is of a lost event gets CURSOR_INVALID, with the
-- cursor behind which it goes on. On SQLite `switchboard restore` does the same.
with log as (
  select greatest(
    (select max(seq) from events),
    (select max(value::bigint) from settings where name in ('purged_through', 'erased_through')),
    0
  ) as last
), positions as (
  select last, greatest(last, extract(epoch from now())::bigint * 1000) + 1000000 as next from log
), noted as (
  insert into settings (name, value)
  select name, value from positions,
    lateral (values
      ('erased_through', next::text),
      ('restored_after', last::text),
      ('restored_through', next::text)
    ) as setting (name, value)
  on conflict (name) do update set value = excluded.value
)
select last as log_ended_at, setval(pg_get_serial_sequence('events', 'seq'), next) as log_continues_after from positions;
