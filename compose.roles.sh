# Run once by the database's own image, when its volume is empty: a role for the server that owns nothing.
psql -v ON_ERROR_STOP=1 -v word="$CLEW_DB_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE clew_app LOGIN PASSWORD :'word';
GRANT USAGE ON SCHEMA public TO clew_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE, MAINTAIN ON TABLES TO clew_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO clew_app;
SQL
