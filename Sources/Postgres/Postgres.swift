import BlockingWork
import CPostgres
