/**
 * Clients that run statements in a language of their own, given in an option or read from their input. What stands in the
 * line of that input (`psql <<EOF`, `echo … | mysql`, `redis-cli <<< …`) counts as a word of theirs, in wide position.
 */
const readers = new Set(
  ("psql pgcli mysql mysqlsh mariadb mycli sqlite sqlite3 litecli sqlcmd mssql-cli sqlplus duckdb clickhouse clickhouse-client cockroach cqlsh snowsql usql trino beeline " +
    "redis-cli valkey-cli keydb-cli mongosh mongo influx cypher-shell etcdctl").split(" "),
);

export function readsStatements(name: string): boolean {
  return readers.has(name);
}

export function statementReaders(): readonly string[] {
  return [...readers];
}
