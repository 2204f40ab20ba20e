"""The Kyushu paper's questions again: which instances fail, and does retraining help?"""
