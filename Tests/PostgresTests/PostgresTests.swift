import Postgres
import Testing
