import BlockingWork
import CHiredis
