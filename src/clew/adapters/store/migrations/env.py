"""Alembic's entry: runs inside the transaction that the store opened."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], render_as_batch=True, transactional_ddl=True
)
context.run_migrations()
